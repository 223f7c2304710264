import { picture, sheet, solid } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const impression: Text = [
  'Goede afdruk met volle marges. Lichtrand van een vorig passe-partout.',
  'Good impression with full margins. Mount stain from an earlier passe-partout.',
  'Guter Abzug mit vollem Rand. Lichtrand eines früheren Passepartouts.',
]

const map: Piece = {
  ref: 'kaart-zuiderzee',
  title: [
    'Kaart van de kust en het achterland van Holland, circa 1690',
    'Map of the coast and hinterland of Holland, circa 1690',
    'Karte der Küste und des Hinterlandes von Holland, um 1690',
  ],
  description: [
    'Kopergravure in twee bladen, oude handkleuring, met kompasroos en cartouche. De droogmakerijen zijn nog als water aangegeven.',
    'Copper engraving on two joined sheets, old hand-colouring, with compass rose and cartouche. The reclaimed lakes are still shown as water.',
    'Kupferstich von zwei Platten, altes Handkolorit, mit Windrose und Kartusche. Die späteren Polder sind noch als Wasser dargestellt.',
  ],
  condition: [
    'Middenvouw versterkt, kleine scheurtjes in de marge gedicht.',
    'Centrefold strengthened, small marginal tears closed.',
    'Mittelfalz verstärkt, kleine Randeinrisse geschlossen.',
  ],
  size: sheet(47, 62),
  estimate: [500, 750],
  categories: ['kaarten'],
  makers: ['tiemersma'],
  delivery: 'parcel',
  picture: picture('townMap', '#eadfc2', '#d9b98c'),
  views: 2,
}

const etching: Piece = {
  ref: 'ammerzoden-gracht',
  title: [
    'Dirk Ammerzoden (1880–1956), Huizen aan het water',
    'Dirk Ammerzoden (1880–1956), Houses by the water',
    'Dirk Ammerzoden (1880–1956), Häuser am Wasser',
  ],
  description: [
    'Ets en droge naald, in potlood gesigneerd en genummerd 14/40. De bramen van de droge naald geven het water zijn fluwelig zwart.',
    'Etching and drypoint, signed in pencil and numbered 14/40. The burr of the drypoint gives the water its velvety black.',
    'Radierung und Kaltnadel, in Bleistift signiert und nummeriert 14/40. Der Grat der Kaltnadel gibt dem Wasser sein samtiges Schwarz.',
  ],
  condition: impression,
  size: sheet(24, 32.5),
  estimate: [150, 220],
  categories: ['prenten'],
  makers: ['ammerzoden'],
  delivery: 'parcel',
  picture: picture('etching', '#3a332c', '#ebe2cc'),
  views: 1,
}

const chalk: Piece = {
  ref: 'terlaeck-studie',
  title: [
    'Willem Terlaeck (1872–1941), Staande vrouw, op de rug gezien',
    'Willem Terlaeck (1872–1941), Standing woman seen from behind',
    'Willem Terlaeck (1872–1941), Stehende Frau in Rückenansicht',
  ],
  description: [
    'Rood krijt op crèmekleurig papier, atelierstempel rechtsonder. Studie voor een figuur die in twee interieurs van 1911 voorkomt.',
    'Red chalk on cream paper, studio stamp lower right. Study for a figure that appears in two interiors of 1911.',
    'Rötel auf cremefarbenem Papier, Atelierstempel unten rechts. Studie zu einer Figur, die in zwei Interieurs von 1911 vorkommt.',
  ],
  condition: [
    'Blad licht gebruind, speldengaatjes in de hoeken.',
    'Sheet slightly toned, pinholes in the corners.',
    'Blatt leicht gebräunt, Nadellöcher in den Ecken.',
  ],
  size: sheet(41, 30),
  estimate: [300, 450],
  categories: ['tekeningen'],
  makers: ['terlaeck'],
  delivery: 'parcel',
  picture: picture('chalkStudy', '#8c4a32', '#e2d6bd'),
  views: 1,
}

export const printsAndMaps: readonly Piece[] = [
  map,
  {
    ...map,
    ref: 'kaart-waterschap',
    title: [
      'Kaart van een hoogheemraadschap, circa 1750',
      'Map of a water board, circa 1750',
      'Karte eines Deichverbandes, um 1750',
    ],
    description: [
      'Kopergravure met omlijnde kleuring, sluizen en molens stuk voor stuk ingetekend. Op linnen geplakt en in vakken gevouwen.',
      'Copper engraving with outline colouring, every sluice and mill marked. Dissected and laid on linen.',
      'Kupferstich mit Grenzkolorit, Schleusen und Mühlen einzeln eingezeichnet. Auf Leinen aufgezogen und gefaltet.',
    ],
    size: sheet(58, 81),
    estimate: [250, 380],
    makers: [],
    picture: picture('townMap', '#e2dcc8', '#b9c6a4'),
    views: 1,
  },
  etching,
  {
    ...etching,
    ref: 'ammerzoden-dorp',
    title: [
      'Dirk Ammerzoden (1880–1956), Dorp aan de dijk',
      'Dirk Ammerzoden (1880–1956), Village by the dike',
      'Dirk Ammerzoden (1880–1956), Dorf am Deich',
    ],
    description: [
      'Ets in bruin, in potlood gesigneerd. Proefdruk vóór de nummering, met een correctie van de kunstenaar in de lucht.',
      'Etching in brown, signed in pencil. Trial proof before numbering, with a correction by the artist in the sky.',
      'Radierung in Braun, in Bleistift signiert. Probedruck vor der Nummerierung, mit einer Korrektur des Künstlers im Himmel.',
    ],
    estimate: [120, 180],
    picture: picture('etching', '#5c4030', '#efe6cf'),
  },
  {
    ...etching,
    ref: 'ammerzoden-map',
    title: [
      'Dirk Ammerzoden (1880–1956), Waterland, map met tien etsen',
      'Dirk Ammerzoden (1880–1956), Waterland, portfolio of ten etchings',
      'Dirk Ammerzoden (1880–1956), Waterland, Mappe mit zehn Radierungen',
    ],
    description: [
      'Elk in potlood gesigneerd en genummerd 7/25, op Japans papier, in de linnen uitgeversmap met inhoudsblad.',
      'Each signed in pencil and numbered 7/25, on Japan paper, in the publisher’s cloth portfolio with list of contents.',
      'Jeweils in Bleistift signiert und nummeriert 7/25, auf Japanpapier, in der Leinenmappe des Verlags mit Inhaltsblatt.',
    ],
    condition: [
      'Etsen fris, map met slijtage aan de rug.',
      'Etchings fresh, portfolio worn at the spine.',
      'Radierungen frisch, Mappe am Rücken berieben.',
    ],
    estimate: [700, 1000],
    picture: picture('etching', '#26302f', '#f0ead8'),
  },
  chalk,
  {
    ...chalk,
    ref: 'terlaeck-houtskool',
    title: [
      'Willem Terlaeck (1872–1941), Modelstudie',
      'Willem Terlaeck (1872–1941), Life study',
      'Willem Terlaeck (1872–1941), Aktstudie',
    ],
    description: [
      'Houtskool op grijs papier, gesigneerd ‘W.T.’. Op de achterzijde een tweede, lossere schets.',
      'Charcoal on grey paper, signed ‘W.T.’. A second, looser sketch on the reverse.',
      'Kohle auf grauem Papier, signiert „W.T.“. Rückseitig eine zweite, lockerere Skizze.',
    ],
    estimate: [200, 300],
    picture: picture('chalkStudy', '#2f2c2a', '#c9c8c2'),
  },
  {
    ref: 'kaartenset-globe',
    title: [
      'Aardglobe op houten voet, Weduwe Tiemersma, Amsterdam, 1754',
      'Terrestrial globe on a wooden stand, Widow Tiemersma, Amsterdam, 1754',
      'Erdglobus auf Holzfuß, Witwe Tiemersma, Amsterdam, 1754',
    ],
    description: [
      'Twaalf gegraveerde en gekleurde globesegmenten over papier-maché, messing meridiaan, horizonring. De westkust van Noord-Amerika is nog open gelaten.',
      'Twelve engraved and coloured gores over papier mâché, brass meridian, horizon ring. The west coast of North America is still left open.',
      'Zwölf gestochene, kolorierte Segmente über Pappmaché, Messingmeridian, Horizontring. Die Westküste Nordamerikas ist noch offen gelassen.',
    ],
    condition: [
      'Vernis vergeeld, een deukje in de Stille Oceaan.',
      'Varnish yellowed, a small dent in the Pacific.',
      'Firnis vergilbt, kleine Delle im Pazifik.',
    ],
    size: solid(52, 38),
    estimate: [4500, 6500],
    categories: ['kaarten', 'instrumenten'],
    makers: ['tiemersma'],
    delivery: 'collect',
    picture: picture('globe', '#8fa79c', '#cdb27a'),
    views: 2,
  },
]
