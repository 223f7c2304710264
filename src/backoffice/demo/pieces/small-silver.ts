import { across, grams, long, picture, solid } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const worn: Text = [
  'Keuren goed leesbaar. Lichte gebruikssporen, minieme deukjes in de voet.',
  'Marks clearly legible. Light signs of use, minute dents in the foot.',
  'Marken gut lesbar. Leichte Gebrauchsspuren, winzige Dellen im Fuß.',
]

const bright: Text = [
  'In zeer goede staat, gravering scherp.',
  'In very good condition, engraving crisp.',
  'In sehr gutem Zustand, Gravur scharf.',
]

const cutlery: Piece = {
  ref: 'couvert-haags-lofje',
  title: [
    'Twaalf zilveren tafelcouverts, Haags lofje, Van Rossekamp, Schoonhoven',
    'Twelve pairs of silver table spoons and forks, Hague fillet, Van Rossekamp, Schoonhoven',
    'Zwölf silberne Tafelbestecke, Haager Filet, Van Rossekamp, Schoonhoven',
  ],
  description: [
    'Twaalf lepels en twaalf vorken, tweede gehalte, jaarletters 1926 en 1927. In bijbehorende eiken cassette met sleutel.',
    'Twelve spoons and twelve forks, second standard, date letters for 1926 and 1927. In the original oak canteen with key.',
    'Zwölf Löffel und zwölf Gabeln, zweiter Feingehalt, Jahresbuchstaben 1926 und 1927. In zugehöriger Eichenkassette mit Schlüssel.',
  ],
  condition: [
    'Tanden gaaf, lepelbladen nauwelijks gesleten. Cassette met gebruikssporen.',
    'Tines even, bowls hardly worn. Canteen with signs of use.',
    'Zinken gleichmäßig, Laffen kaum abgenutzt. Kassette mit Gebrauchsspuren.',
  ],
  size: long(21),
  weight: grams(1730),
  estimate: [1100, 1500],
  categories: ['zilver'],
  makers: ['rossekamp'],
  delivery: 'parcel',
  picture: picture('cutlery', '#cdd1d4'),
  views: 1,
}

const box: Piece = {
  ref: 'tabaksdoos-friesland',
  title: [
    'Zilveren tabaksdoos met gegraveerde ranken, Leeuwarden, circa 1760',
    'Silver tobacco box engraved with tendrils, Leeuwarden, circa 1760',
    'Silberne Tabaksdose mit gravierten Ranken, Leeuwarden, um 1760',
  ],
  description: [
    'Rechthoekig met afgeronde kanten, het deksel gegraveerd met bloemranken en in de binnenzijde de namen van een bruidspaar. Fries stadskeur, meesterteken onbekend.',
    'Rectangular with rounded edges, the cover engraved with flowering tendrils, the inside with the names of a bridal couple. Frisian town mark, maker’s mark unidentified.',
    'Rechteckig mit gerundeten Kanten, der Deckel mit Blütenranken graviert, innen die Namen eines Brautpaares. Friesische Stadtmarke, Meistermarke nicht aufgelöst.',
  ],
  condition: bright,
  size: solid(3.2, 14.5, 8.5),
  weight: grams(236),
  estimate: [900, 1400],
  categories: ['zilver'],
  delivery: 'parcel',
  picture: picture('box', '#cdd1d4'),
  views: 2,
}

const caster: Piece = {
  ref: 'strooibus-tolhoek',
  title: [
    'Zilveren strooibus, Weduwe J. Tolhoek, Amsterdam, 1771',
    'Silver sugar caster, Widow J. Tolhoek, Amsterdam, 1771',
    'Silberner Zuckerstreuer, Witwe J. Tolhoek, Amsterdam, 1771',
  ],
  description: [
    'Balustervormig, de opengewerkte koepel met uitgezaagde bloemmotieven. Bajonetsluiting. Volledig gekeurd.',
    'Baluster-shaped, the domed cover pierced with flowers. Bayonet fitting. Fully marked.',
    'Balusterform, die Haube mit durchbrochenem Blütendekor. Bajonettverschluss. Vollständig punziert.',
  ],
  condition: worn,
  size: solid(18),
  weight: grams(268),
  estimate: [700, 1000],
  categories: ['zilver'],
  makers: ['tolhoek'],
  delivery: 'parcel',
  picture: picture('caster', '#cfd2d4'),
  views: 1,
}

export const smallSilver: readonly Piece[] = [
  cutlery,
  {
    ...cutlery,
    ref: 'dessertcouvert',
    title: [
      'Zes zilveren dessertcouverts, puntfilet, Van Rossekamp, Schoonhoven',
      'Six pairs of silver dessert spoons and forks, pointed fillet, Van Rossekamp, Schoonhoven',
      'Sechs silberne Dessertbestecke, Spitzfilet, Van Rossekamp, Schoonhoven',
    ],
    description: [
      'Zes lepels en zes vorken, tweede gehalte, jaarletter 1934. Ongegraveerd.',
      'Six spoons and six forks, second standard, date letter for 1934. Without engraving.',
      'Sechs Löffel und sechs Gabeln, zweiter Feingehalt, Jahresbuchstabe 1934. Ohne Gravur.',
    ],
    size: long(17.5),
    weight: grams(546),
    estimate: [350, 450],
  },
  {
    ...cutlery,
    ref: 'geboortelepels',
    title: [
      'Vier Friese geboortelepels, 18de en 19de eeuw',
      'Four Frisian birth spoons, 18th and 19th century',
      'Vier friesische Geburtslöffel, 18. und 19. Jahrhundert',
    ],
    description: [
      'Eén met bekroonde leeuw als steelbekroning, drie met gegraveerde naam en datum, onder meer ‘Sjoukje, 4 mei 1788’.',
      'One topped by a crowned lion, three engraved with name and date, among them ‘Sjoukje, 4 mei 1788’.',
      'Einer mit bekröntem Löwen als Stielabschluss, drei mit graviertem Namen und Datum, darunter „Sjoukje, 4 mei 1788“.',
    ],
    condition: worn,
    size: long(18),
    weight: grams(192),
    estimate: [300, 500],
    makers: [],
    picture: picture('cutlery', '#d3cfc4'),
  },
  box,
  {
    ...box,
    ref: 'theebus',
    title: [
      'Zilveren theebus met chinoiserieën, Van Rossekamp, Schoonhoven, 1905',
      'Silver tea caddy with chinoiseries, Van Rossekamp, Schoonhoven, 1905',
      'Silberne Teedose mit Chinoiserien, Van Rossekamp, Schoonhoven, 1905',
    ],
    description: [
      'Rechthoekig, gedreven met figuren onder bomen naar achttiende-eeuws voorbeeld. Verguld interieur.',
      'Rectangular, chased with figures beneath trees after an eighteenth-century model. Gilt interior.',
      'Rechteckig, getrieben mit Figuren unter Bäumen nach einem Vorbild des achtzehnten Jahrhunderts. Innen vergoldet.',
    ],
    condition: bright,
    size: solid(11, 12, 8),
    weight: grams(287),
    estimate: [280, 380],
    makers: ['rossekamp'],
    picture: picture('box', '#dcd8cc', '#6b6558'),
    views: 1,
  },
  caster,
  {
    ref: 'penningen',
    title: [
      'Twaalf zilveren penningen, 17de–19de eeuw',
      'Twelve silver medals, 17th–19th century',
      'Zwölf Silbermedaillen, 17.–19. Jahrhundert',
    ],
    description: [
      'Huwelijks-, gilde- en gedenkpenningen, onder meer van een schuttersgilde te Goes. Met een handgeschreven lijst van de verzamelaar.',
      'Marriage, guild and commemorative medals, among them one of a civic guard at Goes. With a list in the collector’s own hand.',
      'Hochzeits-, Gilde- und Gedenkmedaillen, darunter eine einer Schützengilde in Goes. Mit handgeschriebener Liste des Sammlers.',
    ],
    condition: [
      'Van fraai tot zeer fraai, één gepolijst.',
      'From fine to very fine, one polished.',
      'Von schön bis sehr schön, eine poliert.',
    ],
    size: across(4.5),
    weight: grams(388),
    estimate: [450, 650],
    categories: ['munten-en-penningen'],
    delivery: 'parcel',
    picture: picture('coins', '#c6c8c8'),
    views: 1,
  },
]
