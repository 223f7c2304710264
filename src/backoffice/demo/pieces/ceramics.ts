import { across, picture, sheet, solid } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const chips: Text = [
  'Rand met enkele glazuurchips, zoals gebruikelijk. Een haarlijn van 3 cm.',
  'Some glaze chips to the rim, as usual. A hairline of 3 cm.',
  'Rand mit einigen Glasurabplatzungen, wie üblich. Ein Haarriss von 3 cm.',
]

const good: Text = [
  'Gaaf, met enkele putjes in het glazuur van de oven.',
  'Intact, with a few firing pits in the glaze.',
  'Unbeschädigt, mit einigen Brandlöchern in der Glasur.',
]

const restored: Text = [
  'Rand plaatselijk gerestaureerd, onder UV zichtbaar.',
  'Rim restored in places, visible under UV.',
  'Rand stellenweise restauriert, unter UV sichtbar.',
]

const plate: Piece = {
  ref: 'delfts-bord-ster',
  title: [
    'Delfts blauw-witte schotel met bloemrozet, circa 1720',
    'Dutch Delft blue and white charger with a flower rosette, circa 1720',
    'Delfter blau-weiße Schüssel mit Blütenrosette, um 1720',
  ],
  description: [
    'Tinglazuuraardewerk, in twee tinten blauw beschilderd. Het plat met een rozet in een krans van bladeren, de rand met afwisselende ovalen. Ongemerkt.',
    'Tin-glazed earthenware painted in two shades of blue. The well with a rosette within a wreath of leaves, the rim with alternating ovals. Unmarked.',
    'Zinnglasierte Fayence, in zwei Blautönen bemalt. Im Spiegel eine Rosette in einem Blätterkranz, auf der Fahne wechselnde Ovale. Ungemarkt.',
  ],
  condition: chips,
  size: across(34.5, 5),
  estimate: [300, 450],
  categories: ['delfts'],
  delivery: 'fragile',
  picture: picture('plate', '#eceade', '#34589a'),
  views: 2,
}

const tiles: Piece = {
  ref: 'tegels-schepen',
  title: [
    'Twaalf tegels met schepen en landschapjes, Rotterdam, circa 1740',
    'Twelve tiles with ships and small landscapes, Rotterdam, circa 1740',
    'Zwölf Fliesen mit Schiffen und kleinen Landschaften, Rotterdam, um 1740',
  ],
  description: [
    'In cirkel met ossenkoppen als hoekmotief. Later als veld in een eiken lijst gezet; afkomstig uit een boerderij in de Krimpenerwaard.',
    'Within roundels, with ox-head corners. Later mounted as a panel in an oak frame; from a farmhouse in the Krimpenerwaard.',
    'Im Kreis, mit Ochsenkopf-Eckmotiven. Später als Feld in einen Eichenrahmen gesetzt; aus einem Bauernhof im Krimpenerwaard.',
  ],
  condition: [
    'Drie tegels met een barst, randen met chips.',
    'Three tiles cracked, chips along the edges.',
    'Drei Fliesen mit Riss, Ränder bestoßen.',
  ],
  size: sheet(41, 54),
  estimate: [350, 500],
  categories: ['delfts'],
  delivery: 'fragile',
  picture: picture('tilePicture', '#34589a'),
  views: 2,
}

const garniture: Piece = {
  ref: 'delfts-dekselvaas',
  title: [
    'Delftse dekselvaas met bloementakken, 18de eeuw',
    'Dutch Delft covered vase with flowering branches, 18th century',
    'Delfter Deckelvase mit Blütenzweigen, 18. Jahrhundert',
  ],
  description: [
    'Eivormig lichaam, blauw-wit beschilderd met doorlopende bloementakken tussen dubbele banden. Het deksel met knop.',
    'Ovoid body painted in blue and white with trailing blossom between double bands. The cover with finial.',
    'Eiförmiger Korpus, blau-weiß bemalt mit umlaufenden Blütenzweigen zwischen Doppelbändern. Deckel mit Knauf.',
  ],
  condition: restored,
  size: solid(38),
  estimate: [600, 900],
  categories: ['delfts'],
  delivery: 'fragile',
  picture: picture('lidded', '#e3e8ea', '#34589a'),
  views: 2,
}

const jugendstil: Piece = {
  ref: 'zonnewende-vaas-iris',
  title: [
    'Vaas met gestileerde bloemen, Plateelbakkerij Zonnewende, Gouda, circa 1908',
    'Vase with stylised flowers, Zonnewende pottery, Gouda, circa 1908',
    'Vase mit stilisierten Blüten, Plateelbakkerij Zonnewende, Gouda, um 1908',
  ],
  description: [
    'Hoogglansglazuur over een beschildering in paars en mosgroen. Gemerkt met zonnetje, ‘Zonnewende Gouda’ en schildersmonogram.',
    'High-gloss glaze over painting in purple and moss green. Marked with a sun, ‘Zonnewende Gouda’ and painter’s monogram.',
    'Hochglanzglasur über Malerei in Violett und Moosgrün. Gemarkt mit Sonne, „Zonnewende Gouda“ und Malermonogramm.',
  ],
  condition: good,
  size: solid(31),
  estimate: [400, 600],
  categories: ['plateel'],
  makers: ['zonnewende'],
  delivery: 'fragile',
  picture: picture('vase', '#dcd6bd', '#5e4a7c', '#5a6b3a'),
  views: 2,
}

export const ceramics: readonly Piece[] = [
  plate,
  {
    ...plate,
    ref: 'delfts-borden-paar',
    title: [
      'Paar polychrome Delftse borden, circa 1760',
      'Pair of polychrome Dutch Delft plates, circa 1760',
      'Paar polychrome Delfter Teller, um 1760',
    ],
    description: [
      'Beschilderd in blauw, rood en groen met een bloem in bladkrans. Eén gemerkt ‘LPK 3’.',
      'Painted in blue, red and green with a flower within a leafy wreath. One marked ‘LPK 3’.',
      'In Blau, Rot und Grün mit einer Blüte im Blätterkranz bemalt. Einer gemarkt „LPK 3“.',
    ],
    size: across(23),
    estimate: [250, 350],
    picture: picture('plate', '#efece0', '#2f5f8d', '#b04a35'),
    views: 1,
  },
  {
    ...plate,
    ref: 'kraakbord-delft',
    title: [
      'Delftse schotel in mangaan, circa 1700',
      'Dutch Delft charger in manganese, circa 1700',
      'Delfter Schüssel in Mangan, um 1700',
    ],
    size: across(30.5),
    estimate: [200, 300],
    condition: restored,
    picture: picture('plate', '#ece6dc', '#5c3a55'),
    views: 1,
  },
  tiles,
  {
    ...tiles,
    ref: 'tegels-mangaan',
    title: [
      'Twaalf tegels in mangaan, Friesland, circa 1800',
      'Twelve tiles in manganese, Friesland, circa 1800',
      'Zwölf Fliesen in Mangan, Friesland, um 1800',
    ],
    description: [
      'Molens en zeilschepen in dubbele cirkel, met anjerhoek. Los, niet ingelijst.',
      'Windmills and sailing ships in double roundels with carnation corners. Loose, unframed.',
      'Mühlen und Segelschiffe im Doppelkreis mit Nelkenecken. Lose, ungerahmt.',
    ],
    estimate: [150, 220],
    picture: picture('tilePicture', '#5c3a55'),
    views: 1,
  },
  garniture,
  {
    ...garniture,
    ref: 'delfts-bekervazen',
    title: [
      'Paar Delftse bekervazen, 18de eeuw',
      'Pair of Dutch Delft beaker vases, 18th century',
      'Paar Delfter Bechervasen, 18. Jahrhundert',
    ],
    description: [
      'Uitgeschulpt model, beschilderd met bloementakken. Oorspronkelijk deel van een vijfdelig kaststel.',
      'Flaring form painted with flowering branches. Originally part of a five-piece garniture.',
      'Ausschwingende Form, mit Blütenzweigen bemalt. Ursprünglich Teil eines fünfteiligen Kaminsatzes.',
    ],
    condition: chips,
    size: solid(29),
    estimate: [450, 650],
    picture: picture('beakerVase', '#e3e8ea', '#34589a'),
    views: 1,
  },
  jugendstil,
  {
    ...jugendstil,
    ref: 'zonnewende-klein',
    title: [
      'Klein vaasje met oranje bloesem, Plateelbakkerij Zonnewende, Gouda',
      'Small vase with orange blossom, Zonnewende pottery, Gouda',
      'Kleine Vase mit orangefarbenen Blüten, Plateelbakkerij Zonnewende, Gouda',
    ],
    size: solid(14.5),
    estimate: [120, 180],
    picture: picture('vase', '#e6dcc0', '#b5612f', '#3a5f55'),
    views: 1,
  },
  {
    ref: 'zonnewende-pot',
    title: [
      'Dekselpot, mat dekor ‘Perzië’, Plateelbakkerij Zonnewende, Gouda, circa 1922',
      'Jar and cover, matt ‘Persia’ decor, Zonnewende pottery, Gouda, circa 1922',
      'Deckeldose, mattes Dekor „Persien“, Plateelbakkerij Zonnewende, Gouda, um 1922',
    ],
    description: [
      'Cilindrisch model, mat geglazuurd in petrol, oker en steenrood binnen zwarte contouren. Gemerkt en genummerd 418.',
      'Cylindrical form, matt glazed in petrol blue, ochre and brick red within black outlines. Marked and numbered 418.',
      'Zylindrische Form, matt glasiert in Petrol, Ocker und Ziegelrot mit schwarzen Konturen. Gemarkt und nummeriert 418.',
    ],
    condition: good,
    size: solid(24),
    estimate: [180, 260],
    categories: ['plateel'],
    makers: ['zonnewende'],
    delivery: 'fragile',
    picture: picture('tobaccoJar', '#2f6f6a', '#d8a03a', '#7c2f24'),
    views: 1,
  },
  {
    ref: 'drie-eiken-schaal',
    title: [
      'Steengoed kom, De Drie Eiken, Heerde, circa 1935',
      'Stoneware bowl, De Drie Eiken, Heerde, circa 1935',
      'Steinzeugschale, De Drie Eiken, Heerde, um 1935',
    ],
    description: [
      'Gedraaid, bruinzwart glazuur dat van de lip afloopt. Ingedrukt eikenbladmerk.',
      'Thrown, with brown-black glaze running down from the lip. Impressed oak-leaf mark.',
      'Gedreht, braunschwarze Glasur, die vom Rand herabläuft. Eingedrücktes Eichenblattzeichen.',
    ],
    condition: good,
    size: across(22, 11),
    estimate: [80, 120],
    categories: ['plateel'],
    makers: ['drie-eiken'],
    delivery: 'fragile',
    picture: picture('teaBowl', '#4a382c', '#8a6a48'),
    views: 1,
  },
  {
    ref: 'theepot-porselein',
    title: [
      'Porseleinen theepot met strooibloemen, Duitsland, circa 1770',
      'Porcelain teapot with scattered flowers, Germany, circa 1770',
      'Porzellan-Teekanne mit Streublumen, Deutschland, um 1770',
    ],
    description: [
      'Bolvormig, polychroom beschilderd met losse bloemtakjes, tuit en oor met goud geaccentueerd. Blauwe merkpunt onder glazuur.',
      'Globular, painted in colours with loose flower sprigs, spout and handle picked out in gold. Blue dot under the glaze.',
      'Kugelform, farbig mit Streublümchen bemalt, Tülle und Henkel goldgehöht. Blauer Punkt unter der Glasur.',
    ],
    condition: [
      'Punt van de tuit gerestaureerd, verguldsel gesleten.',
      'Tip of the spout restored, gilding worn.',
      'Tüllenspitze restauriert, Vergoldung berieben.',
    ],
    size: solid(12, 19),
    estimate: [250, 400],
    categories: ['porselein'],
    delivery: 'fragile',
    picture: picture('teapot', '#f0ece4', '#a8485a', '#c9a24f'),
    views: 1,
  },
]
