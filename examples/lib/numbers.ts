import type { NamedRecord, Remarks } from './records.ts'

/**
 * Gives each lot of a sale an integer that no other has. A whole number keeps its value; what is none (`308bis`,
 * `3871.85`, `VIALA`, nothing) or repeats an earlier one gets the next number after the sale's highest, in the order
 * of the catalogue. `note` is then the number as printed, for the description; it is empty where the number fitted.
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
    else remarks.add('lot number is no whole number: next number after the highest', `${text} → ${next}`)
    return { number: next, note: text === '' ? '' : `Nº ${text}` }
  })
}

/** Sellers of a house whose source has names and no numbers: counted from 1 in the order in which they come. */
export function countSellers(house: string, remarks: Remarks): (name: string) => NamedRecord<'seller'> {
  const numbers = new Map<string, number>()
  return (name) => {
    if (!numbers.has(name)) {
      numbers.set(name, numbers.size + 1)
      remarks.add('seller without a number: counted from 1 in each house', name)
    }
    return { type: 'seller', ref: `seller/${house}/${name}`, seller_number: numbers.get(name)!, profile_name: name }
  }
}
