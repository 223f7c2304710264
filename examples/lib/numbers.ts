import type { Remarks } from './records.ts'

/**
 * Gives each lot of a sale a whole number of its own. A printed whole number is kept. A repeated number, or any other
 * text (`308bis`, `3871.85`, `VIALA`, nothing), becomes the next number after the sale's highest, in the order of the
 * catalogue. `note` is then the number as printed, for the description; it is empty for a kept number.
 */
export function numberLots(printed: string[], remarks: Remarks): { number: number; note: string }[] {
  const taken = new Set<number>()
  const fitting = printed.map((text) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Infinity
    if (number > 2 ** 31 - 1 || taken.has(number)) return undefined
    taken.add(number)
    return number
  })
  let next = 0
  for (const number of taken) next = Math.max(next, number)
  return printed.map((text, index) => {
    const number = fitting[index]
    if (number !== undefined) return { number, note: '' }
    next += 1
    if (text === '') remarks.add('lot without a number: next number after the highest', `→ ${next}`)
    else if (/^\d{1,10}$/.test(text))
      remarks.add('lot number repeated: next number after the highest', `${text} → ${next}`)
    else remarks.add('lot number that is not a whole number: next number after the highest', `${text} → ${next}`)
    return { number: next, note: text === '' ? '' : `Nº ${text}` }
  })
}
