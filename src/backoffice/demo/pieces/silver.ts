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
const repaired: Text = [
  'Oude soldeerplek bij de aanzet van het oor. Monogram verwijderd.',
  'Old solder repair where the handle joins the body. Monogram erased.',
  'Alte Lötstelle am Henkelansatz. Monogramm entfernt.',
]

const coffeePot: Piece = {
  ref: 'koffiekan-tolhoek',
  title: [
    'Zilveren koffiekan, Weduwe J. Tolhoek, Amsterdam, 1768',
    'Silver coffee pot, Widow J. Tolhoek, Amsterdam, 1768',
    'Silberne Kaffeekanne, Witwe J. Tolhoek, Amsterdam, 1768',
  ],
  description: [
    'Peervormig, gedraaid geribd lichaam op ronde voet, het deksel met knop in de vorm van een artisjok. Palissander oor. Gekeurd met meesterteken, stadskeur Amsterdam, Hollandse leeuw en jaarletter.',
    'Pear-shaped, spirally fluted body on a round foot, the cover with an artichoke finial. Rosewood handle. Struck with maker’s mark, Amsterdam town mark, lion of Holland and date letter.',
    'Birnförmiger, gedreht gerippter Korpus auf rundem Fuß, der Deckel mit Artischockenknauf. Palisandergriff. Punziert mit Meistermarke, Stadtmarke Amsterdam, holländischem Löwen und Jahresbuchstaben.',
  ],
  condition: repaired,
  size: solid(29.5),
  weight: grams(842),
  estimate: [2800, 3800],
  categories: ['zilver'],
  makers: ['tolhoek'],
  delivery: 'parcel',
  picture: picture('coffeePot', '#cfd2d4', '#3a2418'),
  views: 2,
}

const candlesticks: Piece = {
  ref: 'kandelaars-rossekamp',
  title: [
    'Paar zilveren tafelkandelaars, Van Rossekamp, Schoonhoven, 1911',
    'Pair of silver table candlesticks, Van Rossekamp, Schoonhoven, 1911',
    'Paar silberne Tafelleuchter, Van Rossekamp, Schoonhoven, 1911',
  ],
  description: [
    'Baluster in achttiende-eeuwse trant op getrokken ronde voet, met losse vetvangers. Eerste gehalte; voet niet verzwaard.',
    'Baluster form in the eighteenth-century manner on a shaped round foot, with detachable drip pans. First standard; the feet unweighted.',
    'Balusterform im Stil des achtzehnten Jahrhunderts auf geschweiftem Rundfuß, mit losen Tropfschalen. Erster Feingehalt; Füße nicht beschwert.',
  ],
  condition: worn,
  size: solid(22.5),
  weight: grams(714),
  estimate: [800, 1100],
  categories: ['zilver'],
  makers: ['rossekamp'],
  delivery: 'parcel',
  picture: picture('candlesticks', '#cfd2d4'),
  views: 2,
}

const salver: Piece = {
  ref: 'presenteerblad-1779',
  title: [
    'Zilveren presenteerblad met wapen, Den Haag, 1779',
    'Silver salver engraved with arms, The Hague, 1779',
    'Silberner Präsentierteller mit Wappen, Den Haag, 1779',
  ],
  description: [
    'Geschulpte rand met parellijst, op drie klauwpootjes. In het midden een gegraveerd alliantiewapen onder een helmkroon. Meesterteken ten dele versleten.',
    'Scalloped border with beading, on three claw feet. Engraved at the centre with conjoined arms below a coronet. Maker’s mark partly worn.',
    'Geschweifter Rand mit Perlstab, auf drei Klauenfüßchen. In der Mitte graviertes Allianzwappen unter einer Krone. Meistermarke teilweise verschlagen.',
  ],
  condition: worn,
  size: across(31.5, 4),
  weight: grams(965),
  estimate: [1800, 2400],
  categories: ['zilver'],
  delivery: 'parcel',
  picture: picture('tray', '#cdd1d4'),
  views: 2,
}

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

export const silver: readonly Piece[] = [
  coffeePot,
  {
    ...coffeePot,
    ref: 'koffiekan-empire',
    title: [
      'Zilveren koffiekan in empirestijl, Van Rossekamp, Schoonhoven, 1893',
      'Silver coffee pot in Empire style, Van Rossekamp, Schoonhoven, 1893',
      'Silberne Kaffeekanne im Empirestil, Van Rossekamp, Schoonhoven, 1893',
    ],
    description: [
      'Gewelfd lichaam met parelranden, ebbenhouten oor. Tweede gehalte.',
      'Domed body with beaded borders, ebony handle. Second standard.',
      'Gewölbter Korpus mit Perlrändern, Ebenholzgriff. Zweiter Feingehalt.',
    ],
    condition: worn,
    size: solid(26),
    weight: grams(608),
    estimate: [350, 500],
    makers: ['rossekamp'],
    picture: picture('coffeePot', '#d8d6cf', '#17120f'),
    views: 1,
  },
  candlesticks,
  {
    ...candlesticks,
    ref: 'kandelaars-kaarsen-tin',
    title: [
      'Paar tinnen kandelaars, Noord-Nederland, 18de eeuw',
      'Pair of pewter candlesticks, Northern Netherlands, 18th century',
      'Paar Zinnleuchter, Nördliche Niederlande, 18. Jahrhundert',
    ],
    description: [
      'Met geprofileerde stam op brede voet; één met roosmerk onder de bodem.',
      'With knopped stem on a wide foot; one with a rose mark underneath.',
      'Mit profiliertem Schaft auf breitem Fuß; einer mit Rosenmarke auf der Unterseite.',
    ],
    condition: [
      'Eén voet licht ingedeukt. Mooie oude huid.',
      'One foot slightly dented. Fine old surface.',
      'Ein Fuß leicht gedellt. Schöne alte Oberfläche.',
    ],
    size: solid(19.5),
    estimate: [150, 250],
    makers: [],
    picture: picture('candlesticks', '#8f9293'),
    views: 1,
  },
  salver,
  {
    ...salver,
    ref: 'presenteerblad-klein',
    title: [
      'Klein zilveren presenteerblad, Van Rossekamp, Schoonhoven, 1920',
      'Small silver salver, Van Rossekamp, Schoonhoven, 1920',
      'Kleines silbernes Tablett, Van Rossekamp, Schoonhoven, 1920',
    ],
    description: [
      'Rond, geschulpte rand, blanco middenveld. Eerste gehalte.',
      'Circular with scalloped border, the centre left plain. First standard.',
      'Rund mit geschweiftem Rand, Mittelfeld glatt. Erster Feingehalt.',
    ],
    condition: bright,
    size: across(20),
    weight: grams(318),
    estimate: [220, 320],
    makers: ['rossekamp'],
    views: 1,
  },
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
    ref: 'kandelaber-verguld',
    title: [
      'Verguld bronzen kandelaber, Frankrijk, circa 1860',
      'Gilt-bronze candelabrum, France, circa 1860',
      'Vergoldete Bronze-Girandole, Frankreich, um 1860',
    ],
    description: [
      'Met twee gebogen armen en een gecanneleerde stam, in Louis XVI-stijl. Niet geëlektrificeerd.',
      'With two scrolled arms and a fluted stem, in Louis XVI style. Never electrified.',
      'Mit zwei geschwungenen Armen und kanneliertem Schaft, im Louis-XVI-Stil. Nicht elektrifiziert.',
    ],
    condition: [
      'Vergulding op de randen gesleten. Eén arm staat iets scheef.',
      'Gilding worn at the edges. One arm slightly out of true.',
      'Vergoldung an den Kanten berieben. Ein Arm steht leicht schief.',
    ],
    size: solid(41, 30),
    estimate: [400, 600],
    categories: ['zilver'],
    delivery: 'parcel',
    picture: picture('candelabrum', '#c9a55a'),
    views: 1,
  },
  {
    ref: 'theepot-bol',
    title: [
      'Zilveren bolvormige theepot, Zwolle, circa 1785',
      'Globular silver teapot, Zwolle, circa 1785',
      'Kugelförmige silberne Teekanne, Zwolle, um 1785',
    ],
    description: [
      'Glad bolvormig lichaam, gebogen tuit, scharnierend deksel met benen knop. Stadskeur Zwolle.',
      'Plain globular body, curved spout, hinged cover with a bone finial. Zwolle town mark.',
      'Glatter kugeliger Korpus, geschwungene Tülle, Scharnierdeckel mit Beinknauf. Stadtmarke Zwolle.',
    ],
    condition: repaired,
    size: solid(14, 24),
    weight: grams(431),
    estimate: [1400, 1900],
    categories: ['zilver'],
    delivery: 'parcel',
    picture: picture('teapot', '#d0d3d5'),
    views: 2,
  },
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
