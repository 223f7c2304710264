import { textNames, type TextName } from '@auction-catalogue/client'
import type { Item } from '../api/index.ts'
import { useFormats } from '../formats.ts'
import { languages, useSettings, type Language } from '../settings.ts'
import { textLabels } from '../texts/items.ts'
import { printTexts } from './texts.ts'

/** A text, and the locale that it is in. */
type Text = { text: string; locale: string }

/** The texts of an item in a locale; a text that it lacks is that of the house. */
export function readTexts(item: Item, locale: string, own: string): Partial<Record<TextName, Text>> {
  const translation = locale === own ? undefined : item.translations[locale as keyof Item['translations']]
  return Object.fromEntries(
    textNames.flatMap((name) => {
      const translated = translation?.[name]
      if (translated) return [[name, { text: translated, locale }]]
      return item[name] ? [[name, { text: item[name], locale: own }]] : []
    }),
  )
}

/** What a print says beside the texts of its lots: in its own language, or in that of the window if that has none. */
export function useWords(locale: string) {
  const { language: spoken } = useSettings()
  const language = locale in languages ? (locale as Language) : spoken
  const formats = useFormats(language)
  const labelOf = (name: TextName) => textLabels[name][language]
  return { language, formats, labelOf, ...printTexts[language] }
}
export type PrintWords = ReturnType<typeof useWords>
