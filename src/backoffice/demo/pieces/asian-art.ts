import { across, picture, sheet, sight, solid } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const fritting: Text = [
  'Lichte rafels langs de rand, verder gaaf.',
  'Light fritting along the rim, otherwise intact.',
  'Leichte Ausplatzungen am Rand, sonst unbeschädigt.',
]
const hairline: Text = [
  'Haarlijn in de hals van circa 5 cm, niet gerestaureerd.',
  'A hairline of about 5 cm to the neck, unrestored.',
  'Haarriss am Hals von etwa 5 cm, nicht restauriert.',
]
const paper: Text = [
  'Kleuren fris, lichte middenvouw, wormgaatjes in de linkermarge.',
  'Colours fresh, slight centre fold, wormholes in the left margin.',
  'Farben frisch, leichte Mittelfalte, Wurmlöcher im linken Rand.',
]

const vase: Piece = {
  ref: 'kangxi-vaas',
  title: [
    'Chinese blauw-witte vaas, Kangxi-periode (1662–1722)',
    'Chinese blue and white vase, Kangxi period (1662–1722)',
    'Chinesische blau-weiße Vase, Kangxi-Periode (1662–1722)',
  ],
  description: [
    'Porselein, in onderglazuurblauw beschilderd met slingerende prunustakken. De voetring onbeglazuurd en licht oranje verkleurd. Oud etiket van een Haagse kunsthandel op de bodem.',
    'Porcelain painted in underglaze blue with winding prunus branches. The foot rim unglazed and burnt pale orange. Old label of a dealer in The Hague underneath.',
    'Porzellan, in Unterglasurblau mit gewundenen Prunuszweigen bemalt. Der Standring unglasiert und leicht orange gebrannt. Altes Etikett eines Haager Kunsthändlers auf dem Boden.',
  ],
  condition: hairline,
  size: solid(43),
  estimate: [1800, 2600],
  categories: ['china'],
  delivery: 'fragile',
  picture: picture('vase', '#e6ecef', '#2c4f96'),
  views: 2,
}

const plate: Piece = {
  ref: 'famille-verte-schotel',
  title: [
    'Chinese famille-verte schotel, Kangxi-periode (1662–1722)',
    'Chinese famille verte charger, Kangxi period (1662–1722)',
    'Chinesische Famille-verte-Schüssel, Kangxi-Periode (1662–1722)',
  ],
  description: [
    'Porselein, in emailkleuren beschilderd met een chrysantenrozet; de rand met bladeren en ijzerrode bloemen.',
    'Porcelain painted in enamels with a chrysanthemum rosette; the rim with leaves and iron-red flowers.',
    'Porzellan, in Emailfarben mit einer Chrysanthemenrosette bemalt; die Fahne mit Blättern und eisenroten Blüten.',
  ],
  condition: fritting,
  size: across(35),
  estimate: [900, 1300],
  categories: ['china'],
  delivery: 'fragile',
  picture: picture('plate', '#eef0ea', '#3f7a55', '#b0402e'),
  views: 2,
}

const bowl: Piece = {
  ref: 'imari-kom',
  title: [
    'Japanse Imari-kom, Arita, begin 18de eeuw',
    'Japanese Imari bowl, Arita, early 18th century',
    'Japanische Imari-Schale, Arita, Anfang 18. Jahrhundert',
  ],
  description: [
    'Porselein, beschilderd in onderglazuurblauw, ijzerrood en goud met bloeiende takken.',
    'Porcelain painted in underglaze blue, iron red and gold with flowering branches.',
    'Porzellan, in Unterglasurblau, Eisenrot und Gold mit Blütenzweigen bemalt.',
  ],
  condition: fritting,
  size: across(25.5, 12),
  estimate: [400, 600],
  categories: ['japan'],
  delivery: 'fragile',
  picture: picture('bowl', '#eeeae2', '#2f4a86', '#b04a2e'),
  views: 1,
}

const print: Piece = {
  ref: 'seiun-avondregen',
  title: [
    'Takamori Seiun (actief circa 1840–1865), Avondregen bij de berg',
    'Takamori Seiun (active circa 1840–1865), Evening rain by the mountain',
    'Takamori Seiun (tätig um 1840–1865), Abendregen am Berg',
  ],
  description: [
    'Kleurenhoutsnede, ōban. Gesigneerd, met zegel van de uitgever. Uit een reeks van acht gezichten; een vroege druk, met nog zichtbare houtnerf in de lucht.',
    'Colour woodblock print, ōban. Signed, with publisher’s seal. From a series of eight views; an early impression, the grain of the block still visible in the sky.',
    'Farbholzschnitt, Ōban. Signiert, mit Verlegersiegel. Aus einer Folge von acht Ansichten; ein früher Druck, die Holzmaserung im Himmel noch sichtbar.',
  ],
  condition: paper,
  size: sheet(37, 25),
  estimate: [350, 500],
  categories: ['japan', 'prenten'],
  makers: ['seiun'],
  delivery: 'parcel',
  picture: picture('woodblock', '#8f9cab', '#2f4860', '#7a4a44', '#3c4a55'),
  views: 1,
}

export const asianArt: readonly Piece[] = [
  vase,
  {
    ...vase,
    ref: 'overgangsvaas',
    title: [
      'Chinese blauw-witte bekervaas, overgangsperiode, circa 1650',
      'Chinese blue and white beaker vase, Transitional period, circa 1650',
      'Chinesische blau-weiße Bechervase, Übergangszeit, um 1650',
    ],
    description: [
      'Porselein, gu-vorm, met bloeiende takken tussen ingekraste randen. De bodem vlak en onbeglazuurd.',
      'Porcelain of gu form, with flowering branches between incised borders. The base flat and unglazed.',
      'Porzellan in Gu-Form, mit Blütenzweigen zwischen eingeritzten Borten. Der Boden flach und unglasiert.',
    ],
    size: solid(40.5),
    estimate: [2200, 3000],
    picture: picture('beakerVase', '#e4ebee', '#27478a'),
    views: 1,
  },
  {
    ...vase,
    ref: 'gemberpot',
    title: [
      'Chinese gemberpot met deksel, 19de eeuw',
      'Chinese ginger jar and cover, 19th century',
      'Chinesischer Ingwertopf mit Deckel, 19. Jahrhundert',
    ],
    description: [
      'Porselein, beschilderd met prunus op gebarsten ijs. Dubbele cirkel onder de bodem.',
      'Porcelain painted with prunus on cracked ice. Double ring to the base.',
      'Porzellan, bemalt mit Prunus auf Eisbruch. Doppelring auf dem Boden.',
    ],
    condition: fritting,
    size: solid(26),
    estimate: [250, 350],
    picture: picture('lidded', '#dde6ec', '#2c4f96'),
    views: 1,
  },
  plate,
  {
    ...plate,
    ref: 'blauw-witte-borden',
    title: [
      'Vier Chinese blauw-witte borden, Qianlong-periode (1736–1795)',
      'Four Chinese blue and white plates, Qianlong period (1736–1795)',
      'Vier chinesische blau-weiße Teller, Qianlong-Periode (1736–1795)',
    ],
    description: [
      'Exportporselein met bloemrozet en bladerrand, voor de Nederlandse markt.',
      'Export porcelain with flower rosette and leaf border, made for the Dutch market.',
      'Exportporzellan mit Blütenrosette und Blattborte, für den niederländischen Markt.',
    ],
    size: across(23),
    estimate: [200, 300],
    picture: picture('plate', '#e8eef0', '#2c4f96'),
    views: 1,
  },
  bowl,
  {
    ...bowl,
    ref: 'famille-rose-kom',
    title: [
      'Chinese famille-rose punchkom, Qianlong-periode (1736–1795)',
      'Chinese famille rose punch bowl, Qianlong period (1736–1795)',
      'Chinesische Famille-rose-Punschschale, Qianlong-Periode (1736–1795)',
    ],
    description: [
      'Exportporselein, in roze en groene emails beschilderd met pioenen.',
      'Export porcelain painted with peonies in pink and green enamels.',
      'Exportporzellan, mit Päonien in rosa und grünen Emailfarben bemalt.',
    ],
    condition: hairline,
    size: across(29, 13),
    estimate: [500, 800],
    categories: ['china'],
    picture: picture('bowl', '#f0eeea', '#b8577a', '#3f7a55'),
    views: 1,
  },
  print,
  {
    ...print,
    ref: 'seiun-ochtend',
    title: [
      'Takamori Seiun (actief circa 1840–1865), Heldere ochtend',
      'Takamori Seiun (active circa 1840–1865), Clear morning',
      'Takamori Seiun (tätig um 1840–1865), Klarer Morgen',
    ],
    estimate: [400, 600],
    picture: picture('woodblock', '#d98a5c', '#2f5374', '#c5432f'),
    views: 2,
  },
  {
    ref: 'chawan-raku',
    title: [
      'Zwarte theekom (chawan), Japan, Edo-periode',
      'Black tea bowl (chawan), Japan, Edo period',
      'Schwarze Teeschale (Chawan), Japan, Edo-Zeit',
    ],
    description: [
      'Met de hand gevormd, donker glazuur met roestbruine lopers. In houten doos met opschrift.',
      'Hand-built, with dark glaze streaked in rust brown. In an inscribed wooden box.',
      'Handgeformt, dunkle Glasur mit rostbraunen Läufern. In beschrifteter Holzschachtel.',
    ],
    condition: [
      'Twee goudlakrestauraties (kintsugi) aan de lip.',
      'Two gold-lacquer repairs (kintsugi) to the lip.',
      'Zwei Goldlackreparaturen (Kintsugi) am Rand.',
    ],
    size: across(12, 8.5),
    estimate: [600, 900],
    categories: ['japan'],
    delivery: 'fragile',
    picture: picture('teaBowl', '#2e2a28', '#7d5a3c'),
    views: 2,
  },
  {
    ref: 'rolschildering-bamboe',
    title: [
      'Rolschildering met bamboe, China, 19de eeuw',
      'Hanging scroll with bamboo, China, 19th century',
      'Hängerolle mit Bambus, China, 19. Jahrhundert',
    ],
    description: [
      'Inkt op papier, gemonteerd op groene zijde. Met opdracht en één rood zegel, niet ontcijferd.',
      'Ink on paper, mounted on green silk. With a dedication and one red seal, not deciphered.',
      'Tusche auf Papier, auf grüner Seide montiert. Mit Widmung und einem roten Siegel, nicht entziffert.',
    ],
    condition: [
      'Horizontale rolvouwen, zijde plaatselijk gerafeld.',
      'Horizontal creases, silk frayed in places.',
      'Waagerechte Rollfalten, Seide stellenweise ausgefranst.',
    ],
    size: sight(112, 41),
    estimate: [400, 700],
    categories: ['china'],
    delivery: 'parcel',
    picture: picture('scroll', '#8f9a86', '#2f2c29'),
    views: 1,
  },
  {
    ref: 'lakdoos-japan',
    title: [
      'Zwartlak doos met gouden bloesem, Japan, Meiji-periode (1868–1912)',
      'Black lacquer box with golden blossom, Japan, Meiji period (1868–1912)',
      'Schwarzlackdose mit goldenen Blüten, Japan, Meiji-Zeit (1868–1912)',
    ],
    description: [
      'In hiramakie versierd met een pruimentak, het interieur nashiji. Met uitneembare bak.',
      'Decorated in hiramakie with a plum branch, the interior in nashiji. With lift-out tray.',
      'In Hiramakie mit einem Pflaumenzweig dekoriert, innen Nashiji. Mit herausnehmbarem Einsatz.',
    ],
    condition: [
      'Lak met slijtage aan de hoeken en een kleine schilfer.',
      'Lacquer worn at the corners, with one small flake.',
      'Lack an den Ecken berieben, eine kleine Abplatzung.',
    ],
    size: solid(12, 27, 21),
    estimate: [500, 750],
    categories: ['japan'],
    delivery: 'parcel',
    picture: picture('box', '#221d1c', '#c9a24f'),
    views: 2,
  },
]
