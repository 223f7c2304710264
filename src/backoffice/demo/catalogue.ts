import type { Picture } from './drawings/compose.ts'
import { asianArt } from './pieces/asian-art.ts'
import { books } from './pieces/books.ts'
import { ceramics } from './pieces/ceramics.ts'
import { clocks } from './pieces/clocks.ts'
import { design } from './pieces/design.ts'
import { furniture } from './pieces/furniture.ts'
import { glass } from './pieces/glass.ts'
import { jewellery } from './pieces/jewellery.ts'
import { paintings } from './pieces/paintings.ts'
import type { Piece } from './pieces/piece.ts'
import { printsAndMaps } from './pieces/prints-and-maps.ts'
import { sculpture } from './pieces/sculpture.ts'
import { silver } from './pieces/silver.ts'
import { smallSilver } from './pieces/small-silver.ts'
import { toys } from './pieces/toys.ts'

/** Every object of the demo house, by department. */
export const pieces: readonly Piece[] = [
  ...paintings,
  ...sculpture,
  ...books,
  ...printsAndMaps,
  ...furniture,
  ...clocks,
  ...silver,
  ...smallSilver,
  ...ceramics,
  ...glass,
  ...asianArt,
  ...jewellery,
  ...design,
  ...toys,
]

export interface Photograph {
  readonly file: string
  readonly picture: Picture
  readonly close: boolean
}

/** The photographs of a piece, the whole object first. Pieces alike in subject and colours share theirs. */
export function photographs({ picture, views }: Piece): Photograph[] {
  const name = [picture.subject, ...picture.colours.map((colour) => colour.slice(1))].join('-')
  const whole = { file: `${name}.jpg`, picture, close: false }
  return views === 2 ? [whole, { file: `${name}-detail.jpg`, picture, close: true }] : [whole]
}
