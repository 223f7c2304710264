import { InvalidArgumentError } from 'commander'
import { byteLength, isBlank, longestReason } from '../../values/text.ts'

/** Reads an option that says why, as the staff interface takes it. */
export function readReason(text: string): string {
  if (isBlank(text) || byteLength(text) > longestReason)
    throw new InvalidArgumentError(`It must say why, in at most ${longestReason} bytes.`)
  return text
}
