import { across, grams, picture, solid } from './piece.ts'
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
]
