import { picture, sheet } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const binding: Text = [
  'Ruggen iets verbleekt, gewrichten zwak maar heel. Enig roest, eigendomsstempel op de titels.',
  'Spines a little faded, joints weak but holding. Some foxing, ownership stamp on titles.',
  'Rücken etwas verblichen, Gelenke schwach, aber intakt. Etwas stockfleckig, Besitzstempel auf den Titeln.',
]

const complete: Text = [
  'Gecollationeerd en compleet. Enkele bladen met een waterrand in de ondermarge.',
  'Collated and complete. A few leaves with a damp stain in the lower margin.',
  'Kollationiert und vollständig. Einige Blätter mit Wasserrand im unteren Rand.',
]

const herbal: Piece = {
  ref: 'kruidboek-tiemersma',
  title: [
    'Nieuw Nederlandsch Kruid-boek, Amsterdam, Weduwe Tiemersma, 1732',
    'A new Dutch herbal, Amsterdam, Widow Tiemersma, 1732',
    'Neues niederländisches Kräuterbuch, Amsterdam, Witwe Tiemersma, 1732',
  ],
  description: [
    'Folio, met gegraveerde titel en 214 met de hand gekleurde platen. Gebonden in perkament met overslaande randen; op het schutblad aantekeningen van een apotheker te Enkhuizen.',
    'Folio, with engraved title and 214 hand-coloured plates. Bound in vellum with yapp edges; notes by an apothecary at Enkhuizen on the flyleaf.',
    'Folio, mit gestochenem Titel und 214 handkolorierten Tafeln. In Pergament mit überstehenden Kanten gebunden; auf dem Vorsatz Notizen eines Apothekers aus Enkhuizen.',
  ],
  condition: complete,
  size: sheet(38, 24),
  estimate: [2500, 3500],
  categories: ['boeken'],
  makers: ['tiemersma'],
  delivery: 'parcel',
  picture: picture('openBook', '#b39a6b', '#4a5a3a', '#a3483f'),
  views: 2,
}

const voyages: Piece = {
  ref: 'reisbeschrijvingen',
  title: [
    'Verzameling reisbeschrijvingen, zeven delen, Amsterdam, 1744–1751',
    'Collection of voyages, seven volumes, Amsterdam, 1744–1751',
    'Sammlung von Reisebeschreibungen, sieben Bände, Amsterdam, 1744–1751',
  ],
  description: [
    'Kwarto, met 93 uitslaande kaarten en gezichten. In eigentijds gespikkeld kalfsleer, ruggen met rode titelschilden en gouden bandjes.',
    'Quarto, with 93 folding maps and views. In contemporary speckled calf, spines with red lettering pieces and gilt bands.',
    'Quart, mit 93 gefalteten Karten und Ansichten. In zeitgenössischem gesprenkeltem Kalbleder, Rücken mit roten Titelschildern und Goldfileten.',
  ],
  condition: binding,
  size: sheet(26, 20.5),
  estimate: [900, 1400],
  categories: ['boeken'],
  makers: ['tiemersma'],
  delivery: 'parcel',
  picture: picture('books', '#7b4a2b', '#5a2f26', '#6b4a30'),
  views: 1,
}

export const books: readonly Piece[] = [
  herbal,
  {
    ...herbal,
    ref: 'bloemenalbum',
    title: [
      'Album met 48 aquarellen van tuinbloemen, circa 1830',
      'Album of 48 watercolours of garden flowers, circa 1830',
      'Album mit 48 Aquarellen von Gartenblumen, um 1830',
    ],
    description: [
      'Kwarto, halfleren album, elke plaat met de Latijnse en Nederlandse naam in een sierlijke hand. Vermoedelijk het werk van een liefhebster in Haarlem.',
      'Quarto, half-calf album, each sheet named in Latin and Dutch in an elegant hand. Probably the work of a lady amateur in Haarlem.',
      'Quart, Halblederalbum, jedes Blatt in zierlicher Handschrift lateinisch und niederländisch bezeichnet. Vermutlich das Werk einer Liebhaberin in Haarlem.',
    ],
    condition: [
      'Enkele bladen los, kleuren fris.',
      'A few leaves loose, colours fresh.',
      'Einige Blätter lose, Farben frisch.',
    ],
    size: sheet(27, 22),
    estimate: [600, 900],
    makers: [],
    picture: picture('openBook', '#3c4a5c', '#5a6b3a', '#7a5a8c'),
    views: 1,
  },
  {
    ...herbal,
    ref: 'vogelboek',
    title: [
      'Handleiding tot de kennis der inlandsche vogelen, Leiden, 1811',
      'Guide to the native birds, Leiden, 1811',
      'Anleitung zur Kenntnis der einheimischen Vögel, Leiden, 1811',
    ],
    description: [
      'Octavo, met 36 gekleurde platen. Halfleer met marmerpapier. Ex libris van een buitenplaats aan de Vecht.',
      'Octavo, with 36 coloured plates. Half calf over marbled boards. Bookplate of a country house on the river Vecht.',
      'Oktav, mit 36 kolorierten Tafeln. Halbleder mit Marmorpapier. Exlibris eines Landsitzes an der Vecht.',
    ],
    size: sheet(21, 13),
    estimate: [250, 350],
    makers: [],
    picture: picture('openBook', '#5a2f26', '#5b6a58', '#c48a3a'),
    views: 1,
  },
  voyages,
  {
    ...voyages,
    ref: 'klassieken-perkament',
    title: [
      'Twaalf delen klassieke auteurs, Leiden en Utrecht, 17de–18de eeuw',
      'Twelve volumes of classical authors, Leiden and Utrecht, 17th–18th century',
      'Zwölf Bände klassischer Autoren, Leiden und Utrecht, 17.–18. Jahrhundert',
    ],
    description: [
      'Kwarto en octavo, perkamenten prijsbanden met stadswapen. Drie met het prijsblad nog voorin.',
      'Quarto and octavo, vellum prize bindings with town arms. Three with the prize leaf still in place.',
      'Quart und Oktav, Pergament-Prämienbände mit Stadtwappen. Drei noch mit Prämienblatt.',
    ],
    size: sheet(24, 18),
    estimate: [500, 700],
    makers: [],
    picture: picture('books', '#d8c9a0', '#cdbb8e', '#e2d6b4'),
  },
  {
    ...voyages,
    ref: 'provinciegeschiedenis',
    title: [
      'Tegenwoordige staat der gewesten, negen delen, Amsterdam, 1739–1790',
      'Present state of the provinces, nine volumes, Amsterdam, 1739–1790',
      'Gegenwärtiger Zustand der Provinzen, neun Bände, Amsterdam, 1739–1790',
    ],
    size: sheet(21.5, 13.5),
    description: [
      'Octavo, met kaarten en stadsgezichten. Uniform gebonden in halfleer, onafgesneden.',
      'Octavo, with maps and town views. Uniformly bound in half calf, untrimmed.',
      'Oktav, mit Karten und Stadtansichten. Einheitlich in Halbleder gebunden, unbeschnitten.',
    ],
    estimate: [300, 400],
    picture: picture('books', '#3a4a3a', '#5a4a30', '#7b4a2b'),
  },
]
