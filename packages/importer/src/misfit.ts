/** A text that is not what it should be. The message says what would fit. */
export class Misfit extends Error {
  override name = 'Misfit'
}

/** Something on which the whole run depends and which cannot be used: a file, a mapping, a key. */
export class Unusable extends Error {
  override name = 'Unusable'
}
