// The texts of an item in one locale, in the order of all lists of them. Each is a column. `searched`: the search reads
// it; a change needs another `indexFormat`. `exported`: `--texts` adds it to lists as CSV, which have the title anyway.
export const itemTexts = {
  title: { searched: true, exported: false },
  description: { searched: true, exported: true },
  condition: { searched: true, exported: true },
  dimensions: { searched: true, exported: true },
  weight: { searched: false, exported: true },
}

/** The name of a text. */
export type TextName = keyof typeof itemTexts

/** The names of an item's texts in one locale. */
export const textNames = Object.keys(itemTexts) as TextName[]
