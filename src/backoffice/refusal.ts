/** What staff asked for can't be done, and nothing was changed. The message is one line that says why. */
export class Refusal extends Error {
  override name = 'Refusal'
}
