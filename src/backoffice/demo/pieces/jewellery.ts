import { across, grams, long, picture } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const fine: Text = [
  'In goede staat, steentjes vast. Maat aanpasbaar.',
  'In good condition, stones secure. Can be resized.',
  'In gutem Zustand, Steine fest. Größe änderbar.',
]
const wear: Text = [
  'Lichte draagsporen aan de scheen; één diamantje met een chipje aan de rondist.',
  'Light wear to the shank; one small diamond chipped at the girdle.',
  'Leichte Tragespuren an der Schiene; ein kleiner Diamant mit Abplatzung an der Rundiste.',
]

const ring: Piece = {
  ref: 'ring-diamant',
  title: [
    'Gouden ring met diamant, circa 1,02 ct',
    'Gold ring set with a diamond of circa 1.02 ct',
    'Goldring mit Diamant, ca. 1,02 ct',
  ],
  description: [
    '18 karaat geelgoud, briljant geslepen diamant in chatonzetting, geschat H/VS2, tussen twee kleinere stenen van samen circa 0,18 ct. Jaren zestig.',
    '18 ct yellow gold, claw-set with a brilliant-cut diamond, estimated H/VS2, between two smaller stones of together circa 0.18 ct. Nineteen-sixties.',
    '18 Karat Gelbgold, Brillant in Krappenfassung, geschätzt H/VS2, zwischen zwei kleineren Steinen von zusammen ca. 0,18 ct. Sechzigerjahre.',
  ],
  condition: fine,
  size: across(1.75),
  weight: grams(4.8),
  estimate: [2800, 3800],
  categories: ['juwelen'],
  delivery: 'courier',
  picture: picture('ring', '#d9b35c', '#dbe8ee', '#e6eef2'),
  views: 2,
}

const brooch: Piece = {
  ref: 'broche-saffier',
  title: [
    'Gouden broche met saffier en parels, Van Aerdenstraten, Den Haag, circa 1895',
    'Gold brooch with sapphire and pearls, Van Aerdenstraten, The Hague, circa 1895',
    'Goldbrosche mit Saphir und Perlen, Van Aerdenstraten, Den Haag, um 1895',
  ],
  description: [
    '14 karaat goud, bloemvormig, met facetgeslepen saffier in een krans van zaadparels. In het oorspronkelijke foedraal.',
    '14 ct gold, flower-shaped, with a faceted sapphire within a wreath of seed pearls. In its original fitted case.',
    '14 Karat Gold, blütenförmig, mit facettiertem Saphir in einem Kranz aus Saatperlen. Im originalen Etui.',
  ],
  condition: [
    'Twee pareltjes vernieuwd, saffier met lichte gebruikssporen.',
    'Two pearls replaced, sapphire slightly rubbed.',
    'Zwei Perlen erneuert, Saphir leicht berieben.',
  ],
  size: across(4.2),
  weight: grams(13.6),
  estimate: [700, 1000],
  categories: ['juwelen'],
  makers: ['van-aerdenstraten'],
  delivery: 'courier',
  picture: picture('brooch', '#d9b35c', '#3e5f9c', '#f0eee6'),
  views: 2,
}

const necklace: Piece = {
  ref: 'parelcollier',
  title: [
    'Collier van verlopende cultivéparels met gouden slot',
    'Graduated cultured pearl necklace with a gold clasp',
    'Collier aus Zuchtperlen im Verlauf mit Goldschließe',
  ],
  description: [
    'Zevenendertig parels van 4,5 tot 8 mm, crème met roze lustre; 14 karaat slot met granaat. Nieuw geregen en geknoopt.',
    'Thirty-seven pearls from 4.5 to 8 mm, cream with rose overtone; 14 ct clasp set with a garnet. Newly strung and knotted.',
    'Siebenunddreißig Perlen von 4,5 bis 8 mm, creme mit Rosé-Lüster; 14-karätige Schließe mit Granat. Neu geknüpft.',
  ],
  condition: ['In zeer goede staat.', 'In very good condition.', 'In sehr gutem Zustand.'],
  size: long(46),
  weight: grams(28.4),
  estimate: [300, 450],
  categories: ['juwelen'],
  delivery: 'courier',
  picture: picture('necklace', '#f0ebe0', '#d9b35c', '#7c2436'),
  views: 1,
}

const earrings: Piece = {
  ref: 'oorbellen-granaat',
  title: [
    'Paar gouden oorhangers met granaat, Zeeland, circa 1880',
    'Pair of gold pendant earrings with garnets, Zeeland, circa 1880',
    'Paar goldene Ohrgehänge mit Granaten, Zeeland, um 1880',
  ],
  description: [
    '14 karaat goud, druppelvormig, met cannetillewerk en bolle granaten. Gedragen bij de streekdracht van Zuid-Beveland.',
    '14 ct gold, drop-shaped, with cannetille work and cabochon garnets. Worn with the regional dress of Zuid-Beveland.',
    '14 Karat Gold, tropfenförmig, mit Cannetille-Arbeit und Granatcabochons. Zur Tracht von Zuid-Beveland getragen.',
  ],
  condition: ['Eén haakje later vervangen.', 'One hook replaced.', 'Ein Haken später ersetzt.'],
  size: long(5.4),
  weight: grams(7.9),
  estimate: [350, 500],
  categories: ['juwelen'],
  delivery: 'courier',
  picture: picture('earrings', '#d9b35c', '#8c2f3f', '#e8f0f3'),
  views: 1,
}

const watch: Piece = {
  ref: 'horloge-vauchemin',
  title: [
    'Stalen herenpolshorloge, Vauchemin, Le Locle, circa 1962',
    'Steel gentleman’s wristwatch, Vauchemin, Le Locle, circa 1962',
    'Herrenarmbanduhr aus Stahl, Vauchemin, Le Locle, um 1962',
  ],
  description: [
    'Handopwind, kleine seconde bij zes, crème wijzerplaat met opgelegde uurstreepjes. Kast en uurwerk gesigneerd en genummerd.',
    'Manual winding, subsidiary seconds at six, cream dial with applied batons. Case and movement signed and numbered.',
    'Handaufzug, kleine Sekunde bei der Sechs, cremefarbenes Zifferblatt mit aufgesetzten Indizes. Gehäuse und Werk signiert und nummeriert.',
  ],
  condition: [
    'Loopt. Wijzerplaat onbehandeld met lichte patina, band vernieuwd.',
    'Running. Dial untouched with light patina, strap replaced.',
    'Läuft. Zifferblatt unbehandelt mit leichter Patina, Band erneuert.',
  ],
  size: across(3.5),
  estimate: [450, 650],
  categories: ['horloges'],
  makers: ['vauchemin'],
  delivery: 'courier',
  picture: picture('watch', '#c9ccd0', '#4a2e20', '#f1ede0'),
  views: 2,
}

export const jewellery: readonly Piece[] = [
  ring,
  {
    ...ring,
    ref: 'ring-smaragd',
    title: [
      'Gouden ring met smaragd en diamanten, circa 1935',
      'Gold ring with emerald and diamonds, circa 1935',
      'Goldring mit Smaragd und Diamanten, um 1935',
    ],
    description: [
      '18 karaat witgoud, achthoekige smaragd van circa 1,4 ct tussen roosgeslepen diamanten.',
      '18 ct white gold, an octagonal emerald of circa 1.4 ct between rose-cut diamonds.',
      '18 Karat Weißgold, achteckiger Smaragd von ca. 1,4 ct zwischen Diamantrosen.',
    ],
    condition: wear,
    weight: grams(5.3),
    estimate: [1500, 2000],
    picture: picture('ring', '#d3d4d2', '#2f7a56', '#e6eef2'),
    views: 1,
  },
  {
    ...ring,
    ref: 'ring-granaat',
    title: [
      'Gouden ring met granaat, circa 1900',
      'Gold ring with a garnet, circa 1900',
      'Goldring mit Granat, um 1900',
    ],
    description: [
      '14 karaat roodgoud, ovale granaat tussen twee halve pareltjes.',
      '14 ct red gold, an oval garnet between two half pearls.',
      '14 Karat Rotgold, ovaler Granat zwischen zwei Halbperlen.',
    ],
    condition: wear,
    weight: grams(3.1),
    estimate: [180, 260],
    picture: picture('ring', '#cf9a5f', '#8c2436', '#f0ebe0'),
    views: 1,
  },
  {
    ...ring,
    ref: 'ring-saffier',
    title: [
      'Platina ring met saffier en diamanten, circa 1955',
      'Platinum ring with sapphire and diamonds, circa 1955',
      'Platinring mit Saphir und Diamanten, um 1955',
    ],
    description: [
      'Ovale saffier van circa 2,1 ct, korenbloemblauw, geflankeerd door twee briljanten van samen circa 0,40 ct.',
      'Oval sapphire of circa 2.1 ct, cornflower blue, flanked by two brilliants of together circa 0.40 ct.',
      'Ovaler Saphir von ca. 2,1 ct, kornblumenblau, flankiert von zwei Brillanten von zusammen ca. 0,40 ct.',
    ],
    weight: grams(6.2),
    estimate: [2000, 2800],
    picture: picture('ring', '#cfd2d4', '#3a5ca8', '#e6eef2'),
    views: 1,
  },
  brooch,
  {
    ...brooch,
    ref: 'broche-zeeuws',
    title: [
      'Gouden broche met citrien, circa 1850',
      'Gold brooch with citrine, circa 1850',
      'Goldbrosche mit Citrin, um 1850',
    ],
    description: [
      '14 karaat goud, opengewerkt met bladwerk rond een grote citrien. Achterzijde met haarvak.',
      '14 ct gold, openwork foliage around a large citrine. Hair compartment on the reverse.',
      '14 Karat Gold, durchbrochenes Laubwerk um einen großen Citrin. Rückseitig Haarfach.',
    ],
    weight: grams(11.2),
    estimate: [280, 380],
    makers: [],
    picture: picture('brooch', '#c9984a', '#d09a35', '#f0eee6'),
    views: 1,
  },
  necklace,
  {
    ...necklace,
    ref: 'bloedkoraal',
    title: [
      'Bloedkoralen halssnoer met gouden bootslot, Zeeland, circa 1890',
      'Red coral necklace with a gold boat clasp, Zeeland, circa 1890',
      'Blutkorallenkette mit goldener Bootschließe, Zeeland, um 1890',
    ],
    description: [
      'Verlopende ronde kralen van 6 tot 11 mm, diep van kleur. Het slot 14 karaat met filigrein.',
      'Graduated round beads of 6 to 11 mm, deep in colour. The 14 ct clasp with filigree.',
      'Runde Perlen im Verlauf von 6 bis 11 mm, tief in der Farbe. Schließe 14 Karat mit Filigran.',
    ],
    condition: [
      'Enkele kralen met natuurlijke putjes; snoer vernieuwd.',
      'Some beads with natural pitting; restrung.',
      'Einige Perlen mit natürlichen Grübchen; neu aufgezogen.',
    ],
    weight: grams(62.5),
    estimate: [800, 1100],
    picture: picture('necklace', '#b03a34', '#d9b35c', '#8c2436'),
    views: 2,
  },
  earrings,
  {
    ...earrings,
    ref: 'oorbellen-aquamarijn',
    title: [
      'Paar witgouden oorhangers met aquamarijn, circa 1960',
      'Pair of white-gold earrings with aquamarines, circa 1960',
      'Paar Weißgold-Ohrgehänge mit Aquamarinen, um 1960',
    ],
    description: [
      '18 karaat, peervormige aquamarijnen onder een briljantje.',
      '18 ct, pear-shaped aquamarines below a small brilliant.',
      '18 Karat, tropfenförmige Aquamarine unter einem kleinen Brillanten.',
    ],
    condition: fine,
    weight: grams(6.6),
    estimate: [500, 700],
    picture: picture('earrings', '#cfd2d4', '#8fbccb', '#e8f0f3'),
  },
  watch,
  {
    ...watch,
    ref: 'horloge-goud',
    title: [
      'Gouden herenpolshorloge, Vauchemin, Le Locle, circa 1958',
      'Gold gentleman’s wristwatch, Vauchemin, Le Locle, circa 1958',
      'Goldene Herrenarmbanduhr, Vauchemin, Le Locle, um 1958',
    ],
    condition: ['Loopt. Wijzerplaat opnieuw gedrukt.', 'Running. Dial reprinted.', 'Läuft. Zifferblatt neu bedruckt.'],
    estimate: [900, 1200],
    picture: picture('watch', '#d9b35c', '#2b2624', '#efe8d4'),
    views: 1,
  },
]
