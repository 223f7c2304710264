/**
 * A record of a house, its title and its maker, with queries. `finds`: it is among the first three, by all words as they are
 * written, but for those that are `corrected`: misspelt words, with the words of the house that they mean. `begins`: it is,
 * while the last word is being written. `misses`: a query that means other words, and does not find it.
 */
export type Example = {
  text: string
  maker?: string
  finds?: string[]
  begins?: string[]
  misses?: string[]
  corrected?: Record<string, string[]>
}
