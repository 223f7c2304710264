import { picture, solid } from './piece.ts'
import type { Piece } from './piece.ts'

const goblet: Piece = {
  ref: 'roemer-geradeerd',
  title: [
    'Groene roemer met noppen, Duitsland of Nederland, 17de eeuw',
    'Green roemer with prunts, Germany or the Netherlands, 17th century',
    'Grüner Römer mit Nuppen, Deutschland oder Niederlande, 17. Jahrhundert',
  ],
  description: [
    'Bolle kelk op holle stam met braamnoppen, gesponnen voet. Woudglas met talrijke belletjes.',
    'Ovoid bowl on a hollow stem with raspberry prunts and spun foot. Forest glass with many small bubbles.',
    'Eiförmige Kuppa auf hohlem Schaft mit Beerennuppen, gesponnener Fuß. Waldglas mit zahlreichen Bläschen.',
  ],
  condition: [
    'Gaaf. Lichte slijtage onder de voet.',
    'Intact. Light wear under the foot.',
    'Unbeschädigt. Leichte Standspuren.',
  ],
  size: solid(16.5),
  estimate: [700, 1000],
  categories: ['glas'],
  delivery: 'fragile',
  picture: picture('goblet', '#7fa07c'),
  views: 1,
}

export const glass: readonly Piece[] = [
  goblet,
  {
    ...goblet,
    ref: 'kelkglazen-zes',
    title: [
      'Zes wijnglazen, geblazen, begin 19de eeuw',
      'Six blown wine glasses, early 19th century',
      'Sechs geblasene Weingläser, Anfang 19. Jahrhundert',
    ],
    description: [
      'Helder glas, kelk met fijn geslepen boord, afgebroken pontil. Onderling licht verschillend van hoogte.',
      'Clear glass, the bowl with a finely cut border, rough pontil. Heights varying slightly.',
      'Farbloses Glas, Kuppa mit fein geschliffenem Rand, Abriss. In der Höhe leicht variierend.',
    ],
    size: solid(13.5),
    estimate: [150, 220],
    picture: picture('goblet', '#b9c6cc'),
  },
]
