import { across, picture, solid } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const running: Text = [
  'Loopt en slaat; uurwerk recent schoongemaakt. Kast met enkele krimpscheurtjes.',
  'Running and striking; movement recently cleaned. Some shrinkage cracks to the case.',
  'Läuft und schlägt; Werk kürzlich gereinigt. Gehäuse mit einigen Schwundrissen.',
]
const untested: Text = [
  'Uurwerk compleet, werking niet getest. Gewichten en slinger aanwezig.',
  'Movement complete, not tested. Weights and pendulum present.',
  'Werk vollständig, nicht geprüft. Gewichte und Pendel vorhanden.',
]

const longcase: Piece = {
  ref: 'staand-horloge-nauwelaers',
  title: [
    'Staand horloge, Gerrit Nauwelaers, Leiden, circa 1745',
    'Longcase clock, Gerrit Nauwelaers, Leiden, circa 1745',
    'Bodenstanduhr, Gerrit Nauwelaers, Leiden, um 1745',
  ],
  description: [
    'Notenwortelfineer, de kap met drie knoppen. Achtdaags gaand werk met halfuurslag op twee bellen, maanstand en datum. Op de wijzerplaatring gesigneerd.',
    'Burr-walnut veneer, the hood with three finials. Eight-day movement striking the half-hours on two bells, with moon phase and date. Signed on the chapter ring.',
    'Nusswurzelfurnier, die Haube mit drei Knäufen. Achttagewerk mit Halbstundenschlag auf zwei Glocken, Mondphase und Datum. Auf dem Ziffernring signiert.',
  ],
  condition: running,
  size: solid(238, 53, 29),
  estimate: [2500, 3500],
  categories: ['klokken'],
  makers: ['nauwelaers'],
  delivery: 'collect',
  picture: picture('longcase', '#7d5430'),
  views: 2,
}

const mantel: Piece = {
  ref: 'pendule-marmer',
  title: [
    'Witmarmeren zuilpendule, Frankrijk, circa 1790',
    'White marble portico clock, France, circa 1790',
    'Weiße Marmor-Portaluhr, Frankreich, um 1790',
  ],
  description: [
    'Met vergulde bronzen monturen en vlamvormige bekroning. Emaillen wijzerplaat met Arabische uren, slagwerk op bel, zijdraadophanging.',
    'With gilt-bronze mounts and flaming finial. Enamel dial with Arabic hours, bell strike, silk suspension.',
    'Mit vergoldeten Bronzebeschlägen und Flammenbekrönung. Emailzifferblatt mit arabischen Stunden, Schlag auf Glocke, Fadenaufhängung.',
  ],
  condition: running,
  size: solid(46, 29, 12),
  estimate: [900, 1300],
  categories: ['klokken'],
  delivery: 'fragile',
  picture: picture('mantelClock', '#c99f4a', '#ded9cf'),
  views: 2,
}

const wall: Piece = {
  ref: 'stoelklok-klomper',
  title: [
    'Wandklok, Jan Barend Klomper, Joure, circa 1850',
    'Wall clock, Jan Barend Klomper, Joure, circa 1850',
    'Wanduhr, Jan Barend Klomper, Joure, um 1850',
  ],
  description: [
    'Eiken kast met kijkvenster voor de slinger, beschilderde wijzerplaat. Ankergang, halfuurslag en wekker.',
    'Oak case with a window for the pendulum, painted dial. Anchor escapement, half-hour strike and alarm.',
    'Eichengehäuse mit Pendelfenster, bemaltes Zifferblatt. Ankergang, Halbstundenschlag und Wecker.',
  ],
  condition: untested,
  size: solid(102, 38, 22),
  estimate: [400, 600],
  categories: ['klokken'],
  makers: ['klomper'],
  delivery: 'collect',
  picture: picture('wallClock', '#6d4326'),
  views: 1,
}

const barometer: Piece = {
  ref: 'banjo-barometer',
  title: [
    'Banjobarometer met thermometer, circa 1840',
    'Banjo barometer with thermometer, circa 1840',
    'Banjo-Barometer mit Thermometer, um 1840',
  ],
  description: [
    'Mahonie met buxusbiezen, verzilverde schalen, hygrometer bovenin en waterpas onderin.',
    'Mahogany with boxwood stringing, silvered scales, a hygrometer above and a level below.',
    'Mahagoni mit Buchsbaumadern, versilberte Skalen, oben Hygrometer, unten Libelle.',
  ],
  condition: [
    'Kwik aanwezig, glas van de thermometer vernieuwd.',
    'Mercury present, glass of the thermometer replaced.',
    'Quecksilber vorhanden, Glas des Thermometers erneuert.',
  ],
  size: solid(98, 26),
  estimate: [150, 250],
  categories: ['instrumenten'],
  delivery: 'collect',
  picture: picture('barometer', '#7c4c2a'),
  views: 1,
}

const microscope: Piece = {
  ref: 'microscoop',
  title: [
    'Messing microscoop in kist, circa 1880',
    'Brass microscope in its case, circa 1880',
    'Messingmikroskop im Kasten, um 1880',
  ],
  description: [
    'Met grove en fijne instelling, drie objectieven, spiegel op arm. In mahonie kist met 24 preparaten van een plattelandsarts.',
    'With coarse and fine focusing, three objectives, mirror on an arm. In a mahogany case with 24 slides of a country doctor.',
    'Mit Grob- und Feintrieb, drei Objektiven, Spiegel am Arm. Im Mahagonikasten mit 24 Präparaten eines Landarztes.',
  ],
  condition: [
    'Lak op het messing goeddeels bewaard, optiek helder.',
    'Lacquer on the brass largely preserved, optics clear.',
    'Lack auf dem Messing weitgehend erhalten, Optik klar.',
  ],
  size: solid(33),
  estimate: [350, 500],
  categories: ['instrumenten'],
  delivery: 'parcel',
  picture: picture('microscope', '#c39a45'),
  views: 2,
}

const pocketWatch: Piece = {
  ref: 'zakhorloge-goud',
  title: [
    'Gouden zakhorloge, Vauchemin, Le Locle, circa 1905',
    'Gold pocket watch, Vauchemin, Le Locle, circa 1905',
    'Goldene Taschenuhr, Vauchemin, Le Locle, um 1905',
  ],
  description: [
    '14 karaat gouden kast, savonette, ankergang met vijftien stenen, kleine seconde. Met doublé ketting.',
    '14 ct gold hunter case, lever escapement with fifteen jewels, subsidiary seconds. With rolled-gold chain.',
    'Gehäuse 14 Karat Gold, Savonnette, Ankerhemmung mit fünfzehn Steinen, kleine Sekunde. Mit Doublékette.',
  ],
  condition: [
    'Loopt. Emaillen wijzerplaat met haarlijn bij 8.',
    'Running. Enamel dial with a hairline near 8.',
    'Läuft. Emailzifferblatt mit Haarriss bei 8.',
  ],
  size: across(5.1),
  estimate: [700, 950],
  categories: ['horloges'],
  makers: ['vauchemin'],
  delivery: 'courier',
  picture: picture('pocketWatch', '#d9b35c'),
  views: 1,
}

export const clocks: readonly Piece[] = [
  longcase,
  {
    ...longcase,
    ref: 'staand-horloge-mahonie',
    title: [
      'Mahonie staand horloge, Holland, circa 1800',
      'Mahogany longcase clock, Holland, circa 1800',
      'Mahagoni-Bodenstanduhr, Holland, um 1800',
    ],
    description: [
      'Slanke kast, wijzerplaat met geschilderde molen die met het uurwerk meebeweegt. Ongesigneerd.',
      'Slender case, the dial with a painted mill that moves with the clock. Unsigned.',
      'Schlankes Gehäuse, Zifferblatt mit gemalter, vom Werk bewegter Mühle. Unsigniert.',
    ],
    condition: untested,
    size: solid(225, 47, 26),
    estimate: [800, 1200],
    makers: [],
    picture: picture('longcase', '#6d3826'),
    views: 1,
  },
  mantel,
  {
    ...mantel,
    ref: 'pendule-zwart',
    title: [
      'Zwartmarmeren pendule, circa 1870',
      'Black marble mantel clock, circa 1870',
      'Schwarze Marmor-Pendule, um 1870',
    ],
    description: [
      'Met bronzen zuilen, halfuurslag op bel. Sleutel en slinger aanwezig.',
      'With bronze columns, striking the half-hours on a bell. Key and pendulum present.',
      'Mit Bronzesäulen, Halbstundenschlag auf Glocke. Schlüssel und Pendel vorhanden.',
    ],
    size: solid(42, 34, 15),
    estimate: [120, 180],
    picture: picture('mantelClock', '#a5803a', '#3a3836'),
    views: 1,
  },
  wall,
  {
    ...wall,
    ref: 'kantoorklok',
    title: ['Mahonie kantoorklok, circa 1880', 'Mahogany office clock, circa 1880', 'Mahagoni-Kontoruhr, um 1880'],
    description: [
      'Achtdaags veerwerk zonder slag; uit het kantoor van een graanhandel te Veghel.',
      'Eight-day spring timepiece; from the office of a grain merchant at Veghel.',
      'Achttage-Federwerk ohne Schlag; aus dem Kontor eines Getreidehändlers in Veghel.',
    ],
    size: solid(76, 34, 16),
    estimate: [150, 220],
    makers: [],
    picture: picture('wallClock', '#7a3e28', '#f4f0e4'),
  },
  barometer,
  microscope,
  pocketWatch,
  {
    ...pocketWatch,
    ref: 'zakhorloge-zilver',
    title: [
      'Zilveren zakhorloge met sleutel, circa 1830',
      'Silver key-wound pocket watch, circa 1830',
      'Silberne Spindeltaschenuhr mit Schlüssel, um 1830',
    ],
    description: [
      'Spillegang, opengewerkte onrustkloof met masker. Dubbele kast, de buitenkast met schildpad bekleed.',
      'Verge escapement, pierced balance cock with a mask. Pair case, the outer covered in tortoiseshell.',
      'Spindelhemmung, durchbrochener Kloben mit Maske. Doppelgehäuse, das äußere mit Schildpatt belegt.',
    ],
    condition: [
      'Loopt enkele minuten en staat dan stil; reviseren.',
      'Runs for a few minutes, then stops; needs overhaul.',
      'Läuft einige Minuten und bleibt dann stehen; Revision nötig.',
    ],
    size: across(5.6),
    estimate: [250, 350],
    makers: [],
    delivery: 'parcel',
    picture: picture('pocketWatch', '#c9ccd0'),
  },
]
