/** A command of staff that cannot be carried out and has changed nothing. The message is one line with the reason. */
export class Refusal extends Error {
  override name = 'Refusal'
}
