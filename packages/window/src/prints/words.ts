import { textNames, type TextName } from '@auction-catalogue/client'
import { useMemo } from 'react'
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

/**
 * What a print in a locale says beside the texts of its lots: in that language, or in that of the window, if the window
 * has no words in the first.
 */
export function useWords(locale: string) {
  const { language: spoken } = useSettings()
  const language = locale in languages ? (locale as Language) : spoken
  const formats = useFormats(language)
  return useMemo(() => {
    const labelOf = (name: TextName) => textLabels[name][language]
    return { locale, language, formats, labelOf, ...printTexts[language] }
  }, [locale, language, formats])
}
export type PrintWords = ReturnType<typeof useWords>
