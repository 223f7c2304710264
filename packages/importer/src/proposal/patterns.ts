/** Words for a number. */
export const numbers = '(?:nrs?|nos?|num|nummer[ns]?|nbr|numbers?|numeros?|n|numer|numery|sz|szam|szama|szamok|id|code)'

// Words are lower case and without accents. `*` stands for the rest of a word, `_` for a space, and `nr` before or behind a
// word for a number in any language.
const toPattern = (list: string) =>
  list
    .trim()
    .replaceAll(/\s+/g, '|')
    .replaceAll('_nr', ` ?${numbers}`)
    .replaceAll('nr_', `${numbers}(?: del?| du)? `)
    .replaceAll('*', '\\w*')
    .replaceAll('_', ' ')

/** Matches a heading that has one of the words anywhere. */
export const has = (list: string): RegExp => new RegExp(`\\b(?:${toPattern(list)})\\b`)

/** Matches a heading that is one of the words. */
export const is = (list: string): RegExp => new RegExp(`^(?:${toPattern(list)})$`)

/** A table of words, each with its field. */
export type Words = [field: string, pattern: RegExp][]
