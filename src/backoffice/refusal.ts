/** A command of staff cannot be carried out, and nothing was changed. The message is one line that says why. */
export class Refusal extends Error {
  override name = 'Refusal'
}
