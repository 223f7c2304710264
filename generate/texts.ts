import { format } from 'oxfmt'
import { textNames } from '../src/values/item-texts.ts'
import { locales } from '../src/values/locales.ts'

/** The lists of the client's package: the names of texts, and the locales. */
export async function printTexts(): Promise<string> {
  const text = `// Generated from src/values/item-texts.ts and src/values/locales.ts by npm run generate.

/** The names of an item's texts in one locale. More may come. */
export const textNames = ${JSON.stringify(textNames)} as const

/** The name of a text. */
export type TextName = (typeof textNames)[number]

/** The locales of translations. */
export const locales = ${JSON.stringify(locales)} as const
`
  const { code } = await format('texts.ts', text, { printWidth: 120, semi: false, singleQuote: true })
  return code
}
