import { long, picture, solid } from './piece.ts'
import type { Piece, Text } from './piece.ts'

const played: Text = [
  'Bespeeld, lak met schilfers op de randen, veerwerk loopt.',
  'Played with, paint chipped along the edges, clockwork runs.',
  'Bespielt, Lack an den Kanten abgeplatzt, Federwerk läuft.',
]

const car: Piece = {
  ref: 'blikken-auto',
  title: [
    'Blikken limousine met opwindwerk, Kolbmann & Söhne, Neurenberg, circa 1932',
    'Clockwork tinplate saloon, Kolbmann & Söhne, Nuremberg, circa 1932',
    'Blech-Limousine mit Uhrwerk, Kolbmann & Söhne, Nürnberg, um 1932',
  ],
  description: [
    'Gelithografeerd en rood gelakt blik, werkende stuurinrichting, opwindsleutel. Op de bodemplaat gemerkt ‘K&S 612’.',
    'Lithographed and red-lacquered tinplate, working steering, winding key. Marked ‘K&S 612’ on the base.',
    'Lithografiertes, rot lackiertes Blech, funktionierende Lenkung, Aufziehschlüssel. Auf der Bodenplatte gemarkt „K&S 612“.',
  ],
  condition: played,
  size: long(31),
  estimate: [300, 450],
  categories: ['speelgoed'],
  makers: ['kolbmann'],
  delivery: 'parcel',
  picture: picture('tinCar', '#a8322b', '#e4cf8e'),
  views: 2,
}

const train: Piece = {
  ref: 'locomotief-spoor1',
  title: [
    'Stoomlocomotief spoor 1, Kolbmann & Söhne, Neurenberg, circa 1925',
    'Gauge 1 steam locomotive, Kolbmann & Söhne, Nuremberg, circa 1925',
    'Dampflokomotive Spur 1, Kolbmann & Söhne, Nürnberg, um 1925',
  ],
  description: [
    'Spiritusgestookt, groen gelakt met messing banden. Met tender, twee wagons en een rol rails.',
    'Spirit-fired, lacquered green with brass bands. With tender, two carriages and a set of track.',
    'Spiritusbeheizt, grün lackiert mit Messingbändern. Mit Tender, zwei Wagen und Schienen.',
  ],
  condition: [
    'Ketel niet afgeperst; brander compleet. Lak fris.',
    'Boiler not pressure-tested; burner complete. Paint fresh.',
    'Kessel nicht abgedrückt; Brenner vollständig. Lack frisch.',
  ],
  size: long(42),
  estimate: [900, 1300],
  categories: ['speelgoed'],
  makers: ['kolbmann'],
  delivery: 'parcel',
  picture: picture('locomotive', '#2f5a3c'),
  views: 2,
}

const bear: Piece = {
  ref: 'beer-pluddecke',
  title: [
    'Mohair teddybeer, Plüddecke, Sonneberg, circa 1928',
    'Mohair teddy bear, Plüddecke, Sonneberg, circa 1928',
    'Mohair-Teddybär, Plüddecke, Sonneberg, um 1928',
  ],
  description: [
    'Goudblond mohair, houtwolvulling, scharnierende ledematen, glazen ogen. Bromstem zwijgt. Bij de beer hoort een kinderfoto uit 1931.',
    'Golden mohair, wood-wool filling, jointed limbs, glass eyes. The growler is silent. With a photograph of his first owner, 1931.',
    'Goldblonder Mohair, Holzwollfüllung, bewegliche Glieder, Glasaugen. Brummstimme stumm. Dazu ein Kinderfoto von 1931.',
  ],
  condition: [
    'Kale plekjes op de snuit, één voetzool hersteld.',
    'Bald spots on the muzzle, one pad repaired.',
    'Kahle Stellen an der Schnauze, eine Sohle ausgebessert.',
  ],
  size: solid(46),
  estimate: [250, 400],
  categories: ['speelgoed'],
  makers: ['pluddecke'],
  delivery: 'parcel',
  picture: picture('bear', '#b98a4f', '#8f2f3a'),
  views: 2,
}

export const toys: readonly Piece[] = [
  car,
  {
    ...car,
    ref: 'blikken-auto-blauw',
    title: [
      'Blikken coupé, blauw, Kolbmann & Söhne, Neurenberg, circa 1935',
      'Tinplate coupé in blue, Kolbmann & Söhne, Nuremberg, circa 1935',
      'Blech-Coupé, blau, Kolbmann & Söhne, Nürnberg, um 1935',
    ],
    size: long(24),
    estimate: [180, 260],
    picture: picture('tinCar', '#35587c', '#d8ccb0'),
    views: 1,
  },
  train,
  {
    ...train,
    ref: 'locomotief-spoor0',
    title: [
      'Elektrische locomotief spoor 0, rood, circa 1936',
      'Gauge 0 electric locomotive in red, circa 1936',
      'Elektrolokomotive Spur 0, rot, um 1936',
    ],
    description: [
      'Gelakt blik, 20 volt, met één rijtuig. In de oorspronkelijke doos, deksel geplakt.',
      'Lacquered tinplate, 20 volts, with one carriage. In the original box, lid taped.',
      'Lackiertes Blech, 20 Volt, mit einem Wagen. Im Originalkarton, Deckel geklebt.',
    ],
    condition: played,
    size: long(26),
    estimate: [220, 320],
    picture: picture('locomotive', '#8c2a22'),
    views: 1,
  },
  bear,
  {
    ...bear,
    ref: 'beer-wit',
    title: [
      'Kleine witte teddybeer, Plüddecke, Sonneberg, circa 1935',
      'Small white teddy bear, Plüddecke, Sonneberg, circa 1935',
      'Kleiner weißer Teddybär, Plüddecke, Sonneberg, um 1935',
    ],
    description: [
      'Wit mohair, geborduurde neus, blauwe strik. Nog met het papieren merkje aan de borst.',
      'White mohair, stitched nose, blue bow. Still with its paper tag on the chest.',
      'Weißer Mohair, gestickte Nase, blaue Schleife. Noch mit Papiermarke auf der Brust.',
    ],
    condition: ['In zeer goede staat.', 'In very good condition.', 'In sehr gutem Zustand.'],
    size: solid(24),
    estimate: [150, 220],
    picture: picture('bear', '#e0d6c2', '#3a5c86'),
    views: 1,
  },
  {
    ref: 'poppenhuis',
    title: [
      'Poppenhuis met vier kamers, Holland, circa 1910',
      'Doll’s house with four rooms, Holland, circa 1910',
      'Puppenhaus mit vier Zimmern, Holland, um 1910',
    ],
    description: [
      'Beschilderd vurenhout, het behang oorspronkelijk, gemeubileerd met circa veertig stuks. Gemaakt door een timmerman in Hoorn voor zijn drie dochters.',
      'Painted pine, the wallpapers original, furnished with some forty pieces. Made by a carpenter at Hoorn for his three daughters.',
      'Bemaltes Fichtenholz, Tapeten original, mit etwa vierzig Teilen möbliert. Von einem Zimmermann in Hoorn für seine drei Töchter gebaut.',
    ],
    condition: [
      'Verf met craquelé; schoorsteen gelijmd.',
      'Crackled paint; chimney glued.',
      'Farbe mit Craquelé; Schornstein geklebt.',
    ],
    size: solid(88, 76, 38),
    estimate: [500, 750],
    categories: ['speelgoed'],
    delivery: 'collect',
    picture: picture('dollsHouse', '#d9c6a0'),
    views: 2,
  },
  {
    ref: 'scheepsmodel-fregat',
    title: [
      'Scheepsmodel van een driemaster, 19de eeuw',
      'Model of a three-masted ship, 19th century',
      'Modell eines Dreimasters, 19. Jahrhundert',
    ],
    description: [
      'Notenhout met linnen zeilen, op standaard. Gebouwd door een zeeman op de Oostzeevaart; het tuig klopt tot in de katrollen.',
      'Walnut with linen sails, on a stand. Built by a seaman in the Baltic trade; the rigging is right down to the blocks.',
      'Nussholz mit Leinensegeln, auf Ständer. Von einem Seemann der Ostseefahrt gebaut; die Takelage stimmt bis in die Blöcke.',
    ],
    condition: [
      'Enkele touwen gebroken, zeilen verkleurd.',
      'Some lines broken, sails discoloured.',
      'Einige Taue gerissen, Segel verfärbt.',
    ],
    size: solid(71, 84, 22),
    estimate: [400, 600],
    categories: ['speelgoed'],
    delivery: 'collect',
    picture: picture('modelShip', '#6d4326', '#e6d8b8'),
    views: 2,
  },
  {
    ref: 'scheepsmodel-visser',
    title: [
      'Votiefscheepje, Waddengebied, circa 1850',
      'Votive ship, Wadden coast, circa 1850',
      'Votivschiff, Wattenküste, um 1850',
    ],
    description: [
      'Grenen romp, groen geschilderd, hing tot 1964 in een dorpskerk. De zeilen zijn van blik.',
      'Pine hull painted green; hung in a village church until 1964. The sails are of tin.',
      'Kiefernrumpf, grün gefasst; hing bis 1964 in einer Dorfkirche. Die Segel sind aus Blech.',
    ],
    condition: [
      'Verf afgesleten tot op het hout, boegspriet vernieuwd.',
      'Paint worn to the wood, bowsprit replaced.',
      'Farbe bis aufs Holz berieben, Bugspriet erneuert.',
    ],
    size: solid(46, 58, 15),
    estimate: [300, 450],
    categories: ['speelgoed'],
    delivery: 'collect',
    picture: picture('modelShip', '#47603f', '#c9c2ae'),
    views: 1,
  },
]
