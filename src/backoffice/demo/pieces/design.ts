import { across, picture, solid } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const rewired: Text = [
  'Opnieuw bedraad. Eén glasplaatje met een haarbarst.',
  'Rewired. One pane with a hairline crack.',
  'Neu verkabelt. Eine Scheibe mit Haarriss.',
]
const seat: Text = [
  'Kuip met lichte krassen, frame met plaatselijke roest, originele doppen.',
  'Shell with light scratches, frame with spots of rust, original glides.',
  'Schale mit leichten Kratzern, Gestell stellenweise mit Rost, originale Gleiter.',
]

const lamp: Piece = {
  ref: 'lamp-noordpool',
  title: [
    'Tafellamp, Noordpool, Amsterdam, circa 1925',
    'Table lamp, Noordpool, Amsterdam, circa 1925',
    'Tischleuchte, Noordpool, Amsterdam, um 1925',
  ],
  description: [
    'Amsterdamse School: kap van gebogen opaalglas in koperen vatting, gepatineerde bronzen voet. Gemerkt onder de voet met poolster.',
    'Amsterdam School: shade of curved opaline glass in brass mounts, patinated bronze foot. Marked with a pole star underneath.',
    'Amsterdamer Schule: Schirm aus gebogenem Opalglas in Messingfassung, patinierter Bronzefuß. Unter dem Fuß mit Polarstern gemarkt.',
  ],
  condition: rewired,
  size: solid(52, 40),
  estimate: [900, 1300],
  categories: ['verlichting'],
  makers: ['noordpool'],
  delivery: 'fragile',
  picture: picture('tableLamp', '#e7c98a', '#6d5436'),
  views: 2,
}

const shell: Piece = {
  ref: 'kuipstoel-kersbergen',
  title: [
    'Kuipstoel model 54, Kersbergen, Culemborg, ontwerp 1956',
    'Shell chair model 54, Kersbergen, Culemborg, designed 1956',
    'Schalenstuhl Modell 54, Kersbergen, Culemborg, Entwurf 1956',
  ],
  description: [
    'Glasvezelversterkt polyester in okergeel, verchroomd draadonderstel. Met fabrieksetiket.',
    'Glass-fibre reinforced polyester in ochre, chromed wire base. With factory label.',
    'Glasfaserverstärktes Polyester in Ocker, verchromtes Drahtgestell. Mit Fabriketikett.',
  ],
  condition: seat,
  size: solid(79, 56, 54),
  estimate: [250, 350],
  categories: ['design', 'zitmeubelen'],
  makers: ['kersbergen'],
  delivery: 'collect',
  picture: picture('shellChair', '#c8852f'),
  views: 2,
}

export const design: readonly Piece[] = [
  lamp,
  {
    ...lamp,
    ref: 'lamp-noordpool-groen',
    title: [
      'Bureaulamp met groene kap, Noordpool, Amsterdam, circa 1930',
      'Desk lamp with green shade, Noordpool, Amsterdam, circa 1930',
      'Schreibtischleuchte mit grünem Schirm, Noordpool, Amsterdam, um 1930',
    ],
    description: [
      'Halfronde kap van groen overvangglas op vernikkelde stam. Trekschakelaar origineel.',
      'Domed shade of green cased glass on a nickel-plated stem. Pull switch original.',
      'Halbrunder Schirm aus grünem Überfangglas auf vernickeltem Schaft. Zugschalter original.',
    ],
    size: solid(44, 34),
    estimate: [300, 420],
    picture: picture('tableLamp', '#6f9a76', '#a9acae'),
    views: 1,
  },
  {
    ...lamp,
    ref: 'lamp-rood',
    title: [
      'Tafellamp met rode glazen kap, circa 1915',
      'Table lamp with a red glass shade, circa 1915',
      'Tischleuchte mit rotem Glasschirm, um 1915',
    ],
    description: [
      'Segmenten van gemarmerd glas in lood, gegoten voet met lotusbladeren. Ongemerkt.',
      'Segments of marbled leaded glass, cast foot with lotus leaves. Unmarked.',
      'Segmente aus marmoriertem Bleiglas, gegossener Fuß mit Lotusblättern. Ungemarkt.',
    ],
    size: solid(57, 43),
    estimate: [450, 650],
    makers: [],
    picture: picture('tableLamp', '#b8604a', '#4a4436'),
    views: 1,
  },
  shell,
  {
    ...shell,
    ref: 'kuipstoelen-vier',
    title: [
      'Vier kuipstoelen model 54, Kersbergen, Culemborg, ontwerp 1956',
      'Four shell chairs model 54, Kersbergen, Culemborg, designed 1956',
      'Vier Schalenstühle Modell 54, Kersbergen, Culemborg, Entwurf 1956',
    ],
    description: [
      'Polyester in grijsblauw op zwart gelakt onderstel. Uit de kantine van een drukkerij.',
      'Polyester in grey-blue on black enamelled bases. From the canteen of a printing works.',
      'Polyester in Graublau auf schwarz lackiertem Gestell. Aus der Kantine einer Druckerei.',
    ],
    estimate: [600, 800],
    picture: picture('shellChair', '#5f7688'),
    views: 1,
  },
  {
    ...shell,
    ref: 'kuipstoel-kind',
    title: [
      'Kinderkuipstoel model 54K, Kersbergen, Culemborg, circa 1960',
      'Child’s shell chair model 54K, Kersbergen, Culemborg, circa 1960',
      'Kinder-Schalenstuhl Modell 54K, Kersbergen, Culemborg, um 1960',
    ],
    description: [
      'Zeldzame verkleinde uitvoering in tomaatrood, slechts twee jaar geleverd.',
      'A rare reduced version in tomato red, supplied for only two years.',
      'Seltene verkleinerte Ausführung in Tomatenrot, nur zwei Jahre lang geliefert.',
    ],
    size: solid(54, 38, 36),
    estimate: [180, 260],
    delivery: 'parcel',
    picture: picture('shellChair', '#b5432f'),
    views: 1,
  },
  {
    ref: 'drie-eiken-vloervaas',
    title: [
      'Grote steengoed vaas, De Drie Eiken, Heerde, circa 1965',
      'Large stoneware vase, De Drie Eiken, Heerde, circa 1965',
      'Große Steinzeugvase, De Drie Eiken, Heerde, um 1965',
    ],
    description: [
      'Uitlopend cilindrisch model met mosgroen schilferglazuur. Unicum, ingekrast 217.',
      'Flaring cylindrical form with moss-green crackled glaze. One-off piece, incised 217.',
      'Ausschwingende zylindrische Form mit moosgrüner Schuppenglasur. Unikat, geritzt 217.',
    ],
    condition: ['Gaaf.', 'Intact.', 'Unbeschädigt.'],
    size: solid(48),
    estimate: [200, 300],
    categories: ['plateel', 'design'],
    makers: ['drie-eiken'],
    delivery: 'fragile',
    picture: picture('beakerVase', '#7a8660'),
    views: 1,
  },
  {
    ref: 'glasschaal',
    title: [
      'Glazen schaal, blauw overvangen, Tsjecho-Slowakije, circa 1960',
      'Glass bowl cased in blue, Czechoslovakia, circa 1960',
      'Glasschale, blau überfangen, Tschechoslowakei, um 1960',
    ],
    description: [
      'Dikwandig en vrij gevormd, de wand verloopt van blauw naar helder.',
      'Thick-walled and freely formed, the wall shading from blue to clear.',
      'Dickwandig und frei geformt, die Wandung von Blau nach Farblos verlaufend.',
    ],
    condition: ['Krasjes op de standring.', 'Scratches to the foot.', 'Kratzer am Stand.'],
    size: across(27, 12),
    estimate: [80, 120],
    categories: ['glas', 'design'],
    delivery: 'fragile',
    picture: picture('bowl', '#4f7fa8'),
    views: 1,
  },
]
