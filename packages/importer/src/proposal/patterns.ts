/** Words for a number. */
export const numbers = '(?:nrs?|nos?|num|nummer[ns]?|nbr|numbers?|numeros?|n|numer|numery|sz|szam|szama|szamok|id|code)'

// Words are in small letters without accents: `*` is the rest of a word, `_` a space, `nr` before or behind a word a number in
// any language.
const toPattern = (list: string) =>
  list
    .trim()
    .replaceAll(/\s+/g, '|')
    .replaceAll('_nr', ` ?${numbers}`)
    .replaceAll('nr_', `${numbers}(?: del?| du)? `)
    .replaceAll('*', '\\w*')
    .replaceAll('_', ' ')

/** Some of the words anywhere in a heading. */
export const has = (list: string): RegExp => new RegExp(`\\b(?:${toPattern(list)})\\b`)

/** One of the words, and nothing else. */
export const is = (list: string): RegExp => new RegExp(`^(?:${toPattern(list)})$`)

/** Words of a table: the field to which each leads. */
export type Words = [field: string, pattern: RegExp][]
