/** The error of a text in the wrong form. The message says which form fits. */
export class Misfit extends Error {
  override name = 'Misfit'
}

/** The error of an input that the whole run needs and cannot use: a file, a mapping, a key. */
export class Unusable extends Error {
  override name = 'Unusable'
}
