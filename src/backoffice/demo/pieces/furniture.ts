import { across, picture, solid } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const restored: Text = [
  'Deskundig gerestaureerd, fineer op enkele plaatsen aangeheeld. Een poot verlengd. Sloten aanwezig, één sleutel.',
  'Competently restored, veneer made good in places. One foot built up. Locks present, one key.',
  'Fachgerecht restauriert, Furnier stellenweise ergänzt. Ein Fuß angestückt. Schlösser vorhanden, ein Schlüssel.',
]
const used: Text = [
  'Goede gebruiksstaat, met krassen en vlekken naar leeftijd. Oude houtworm, niet actief.',
  'Good usable condition, with scratches and stains consistent with age. Old, inactive woodworm.',
  'Guter Gebrauchszustand, altersbedingte Kratzer und Flecken. Alter, nicht aktiver Wurmbefall.',
]
const firm: Text = [
  'Verbindingen vast. Bekleding vernieuwd, licht verschoten.',
  'Joints firm. Upholstery renewed, slightly faded.',
  'Verbindungen fest. Bezug erneuert, leicht verschossen.',
]

const commode: Piece = {
  ref: 'commode-lodewijk',
  title: [
    'Mahonie commode met drie laden, Holland, circa 1785',
    'Mahogany chest of three drawers, Holland, circa 1785',
    'Mahagonikommode mit drei Schüben, Holland, um 1785',
  ],
  description: [
    'Rechte vorm met koperen knoppen en sleutelplaten, op vierkante poten. Laden met eiken binnenwerk. Uit een grachtenhuis te Leiden.',
    'Straight-fronted, with brass knobs and escutcheons, on square feet. Oak-lined drawers. From a canal house in Leiden.',
    'Gerade Front mit Messingknöpfen und Schlüsselschildern, auf eckigen Füßen. Schübe mit Eichenkorpus. Aus einem Grachtenhaus in Leiden.',
  ],
  condition: restored,
  size: solid(82, 104, 54),
  estimate: [800, 1200],
  categories: ['kastmeubelen'],
  delivery: 'collect',
  picture: picture('commode', '#7a4a28'),
  views: 2,
}

const cabinet: Piece = {
  ref: 'kabinet-eiken',
  title: [
    'Eiken kabinet met getoogde panelen, Holland, circa 1760',
    'Oak cabinet with arched panels, Holland, circa 1760',
    'Eichenkabinett mit gebogten Füllungen, Holland, um 1760',
  ],
  description: [
    'Tweedeurs bovenkast onder gebogen kroonlijst, twee laden in de onderkast, op gedrukte bolpoten. Interieur met drie planken en twee geheime laatjes.',
    'Two-door upper part below an arched cornice, two drawers in the base, on bun feet. Interior with three shelves and two hidden drawers.',
    'Zweitüriger Aufsatz unter gebogtem Gesims, zwei Schübe im Unterteil, auf Kugelfüßen. Innen drei Böden und zwei Geheimfächer.',
  ],
  condition: used,
  size: solid(228, 168, 58),
  estimate: [1200, 1800],
  categories: ['kastmeubelen'],
  delivery: 'collect',
  picture: picture('cabinet', '#7a5a36'),
  views: 2,
}

const chairs: Piece = {
  ref: 'stoelen-zes',
  title: [
    'Stel van zes notenhouten stoelen, Holland, circa 1750',
    'Set of six walnut chairs, Holland, circa 1750',
    'Satz von sechs Nussbaumstühlen, Holland, um 1750',
  ],
  description: [
    'Opengewerkte vaasvormige rugspijl, losse zitting, gebogen voorpoten. Vier oud, twee in de twintigste eeuw bijgemaakt.',
    'Pierced vase-shaped splat, drop-in seat, cabriole front legs. Four old, two made to match in the twentieth century.',
    'Durchbrochenes vasenförmiges Rückenbrett, loser Sitz, geschweifte Vorderbeine. Vier alt, zwei im zwanzigsten Jahrhundert ergänzt.',
  ],
  condition: firm,
  size: solid(106, 51, 48),
  estimate: [900, 1300],
  categories: ['zitmeubelen'],
  delivery: 'collect',
  picture: picture('chair', '#6b4226', '#8d3b33'),
  views: 2,
}

const table: Piece = {
  ref: 'theetafel-mahonie',
  title: [
    'Mahonie klaptafel op driepoot, circa 1800',
    'Mahogany tilt-top tripod table, circa 1800',
    'Mahagoni-Klapptisch auf Dreifuß, um 1800',
  ],
  description: [
    'Rond blad met een citroenhouten bies, op gedraaide stam. Het blad kantelt; koperen knip origineel.',
    'Circular top with a satinwood line, on a turned column. The top tilts; brass catch original.',
    'Runde Platte mit Zitronenholzader, auf gedrechseltem Schaft. Platte klappbar; Messingriegel original.',
  ],
  condition: used,
  size: across(84, 72),
  estimate: [300, 450],
  categories: ['tafels'],
  delivery: 'collect',
  picture: picture('table', '#6f3f24', '#d8b06a'),
  views: 1,
}

const mirror: Piece = {
  ref: 'spiegel-verguld',
  title: [
    'Vergulde schouwspiegel, tweede helft 19de eeuw',
    'Giltwood overmantel mirror, second half 19th century',
    'Vergoldeter Kaminspiegel, zweite Hälfte 19. Jahrhundert',
  ],
  description: [
    'Getoogd model met gebogen bekroning, stuc op hout, oud kwikglas.',
    'Arched form with scrolled cresting, gesso on wood, old mercury plate.',
    'Gebogte Form mit geschweifter Bekrönung, Stuck auf Holz, altes Quecksilberglas.',
  ],
  condition: [
    'Glas met weervlekken onderin, verguldsel plaatselijk bijgewerkt.',
    'Plate foxed at the bottom, gilding touched up in places.',
    'Glas unten mit blinden Stellen, Vergoldung stellenweise ausgebessert.',
  ],
  size: solid(148, 92),
  estimate: [450, 650],
  categories: ['spiegels'],
  delivery: 'collect',
  picture: picture('mirror', '#c39a4a'),
  views: 1,
}

const armchair: Piece = {
  ref: 'fauteuil-groen',
  title: [
    'Gecapitonneerde fauteuil, eind 19de eeuw',
    'Buttoned armchair, late 19th century',
    'Kapitonierter Sessel, Ende 19. Jahrhundert',
  ],
  description: [
    'Gebogen rug en rolarmen, op gedraaide notenhouten poten. Groen velours.',
    'Curved back and scrolled arms, on turned walnut legs. Green velvet.',
    'Gewölbte Lehne und Rollarme, auf gedrechselten Nussbaumbeinen. Grüner Velours.',
  ],
  condition: firm,
  size: solid(98, 76, 82),
  estimate: [180, 260],
  categories: ['zitmeubelen'],
  delivery: 'collect',
  picture: picture('armchair', '#6d7c55', '#3d281a'),
  views: 1,
}

export const furniture: readonly Piece[] = [
  commode,
  {
    ...commode,
    ref: 'commode-kersen',
    title: [
      'Kersenhouten commode, Rijnland, circa 1820',
      'Cherrywood chest of drawers, Rhineland, circa 1820',
      'Kirschholzkommode, Rheinland, um 1820',
    ],
    description: [
      'Biedermeier, met gezwarte details en een doorlopend fineerbeeld over de voorzijde. Bovenste lade springt licht naar voren.',
      'Biedermeier, with ebonised details and matched veneer across the front. Upper drawer slightly projecting.',
      'Biedermeier, mit ebonisierten Details und durchlaufendem Furnierbild. Oberer Schub leicht vorspringend.',
    ],
    size: solid(86, 112, 56),
    estimate: [500, 750],
    picture: picture('commode', '#a86a38'),
    views: 1,
  },
  cabinet,
  {
    ...cabinet,
    ref: 'kast-hang',
    title: [
      'Noten linnenkast, Noord-Duitsland, circa 1780',
      'Walnut linen press, North Germany, circa 1780',
      'Nussbaum-Dielenschrank, Norddeutschland, um 1780',
    ],
    description: [
      'Twee deuren met gefigureerd fineer, uitkragende kap. Demontabel.',
      'Two doors with figured veneer, overhanging cornice. Can be taken apart.',
      'Zwei Türen mit Maserfurnier, vorkragendes Gesims. Zerlegbar.',
    ],
    size: solid(214, 182, 66),
    estimate: [900, 1400],
    picture: picture('cabinet', '#6b4426'),
    views: 1,
  },
  {
    ...cabinet,
    ref: 'miniatuurkast',
    title: [
      'Proefstuk: miniatuurkabinet, 19de eeuw',
      'Apprentice piece: miniature cabinet, 19th century',
      'Gesellenstück: Miniaturkabinett, 19. Jahrhundert',
    ],
    description: [
      'Mahonie met benen knopjes, een kabinet van vol formaat tot op de sleutelgaten nagevolgd.',
      'Mahogany with bone knobs, following a full-size cabinet down to the keyholes.',
      'Mahagoni mit Beinknöpfen, einem großen Kabinett bis in die Schlüssellöcher nachgebildet.',
    ],
    size: solid(58, 44, 19),
    estimate: [400, 600],
    delivery: 'parcel',
    picture: picture('cabinet', '#84482c'),
    views: 1,
  },
  chairs,
  {
    ...chairs,
    ref: 'stoelen-paar',
    title: ['Paar mahonie stoelen, circa 1790', 'Pair of mahogany chairs, circa 1790', 'Paar Mahagonistühle, um 1790'],
    description: [
      'Opengewerkte rug, gestreepte zittingen.',
      'Pierced backs, striped seats.',
      'Durchbrochene Lehnen, gestreifte Sitze.',
    ],
    size: solid(98, 49, 46),
    estimate: [200, 300],
    picture: picture('chair', '#74402a', '#4f6478'),
    views: 1,
  },
  {
    ...chairs,
    ref: 'kinderstoel',
    title: ['Kinderstoel, 19de eeuw', 'Child’s chair, 19th century', 'Kinderstuhl, 19. Jahrhundert'],
    description: [
      'Iepenhout, met gebogen stijlen; een verkleinde uitgave van de stoelen in de opkamer.',
      'Elm, with shaped uprights; a small version of the chairs in the best room.',
      'Ulmenholz, mit geschweiften Pfosten; eine verkleinerte Ausgabe der Stühle in der guten Stube.',
    ],
    condition: used,
    size: solid(62, 34, 32),
    estimate: [80, 140],
    delivery: 'parcel',
    picture: picture('chair', '#8a5f38', '#c2a468'),
    views: 1,
  },
  table,
  {
    ...table,
    ref: 'tafel-noten',
    title: [
      'Ronde noten eettafel op kolompoot, circa 1850',
      'Round walnut pedestal dining table, circa 1850',
      'Runder Nussbaum-Esstisch auf Mittelfuß, um 1850',
    ],
    description: [
      'Willem III-model met zware kolom en drie voluutpoten. Geschikt voor zes personen.',
      'Mid-Victorian Dutch model with heavy column and three scrolled feet. Seats six.',
      'Willem-III-Modell mit schwerer Säule und drei Volutenfüßen. Für sechs Personen.',
    ],
    size: across(128, 75),
    estimate: [350, 500],
    picture: picture('table', '#6a4526', '#8c6238'),
  },
  mirror,
  {
    ...mirror,
    ref: 'spiegel-zwart',
    title: [
      'Penantspiegel in zwarte en gouden lijst, circa 1870',
      'Pier mirror in an ebonised and gilt frame, circa 1870',
      'Pfeilerspiegel in schwarz-goldenem Rahmen, um 1870',
    ],
    size: solid(126, 74),
    estimate: [200, 300],
    picture: picture('mirror', '#3a3129'),
  },
  armchair,
  {
    ...armchair,
    ref: 'fauteuils-paar-oker',
    title: [
      'Paar fauteuils in okergeel velours, circa 1930',
      'Pair of armchairs in ochre velvet, circa 1930',
      'Paar Sessel in ockerfarbenem Velours, um 1930',
    ],
    description: [
      'Ronde clubvorm, zware binnenvering, beuken poten. Ontwerp toegeschreven aan Meubelfabriek Kersbergen.',
      'Rounded club form, heavy springing, beech legs. Design attributed to the Kersbergen works.',
      'Runde Clubform, schwere Federung, Buchenfüße. Entwurf der Möbelfabrik Kersbergen zugeschrieben.',
    ],
    size: solid(84, 80, 86),
    estimate: [600, 850],
    categories: ['zitmeubelen', 'design'],
    makers: ['kersbergen'],
    picture: picture('armchair', '#b5893a', '#2c1f17'),
    views: 1,
  },
]
