/** The locales of translations (section 2.3). */
export const locales = ['nl', 'en', 'fr', 'de', 'es', 'zh', 'it', 'pl', 'hu'] as const

/** One of the supported locales. */
export type Locale = (typeof locales)[number]

/** Whether the text is one of the supported locales, exactly. */
export function isLocale(text: string): text is Locale {
  return (locales as readonly string[]).includes(text)
}

/** A house's default locale from `nl`, `nl-NL` or `nl_NL`; undefined if the language is not supported. */
export function normalizeLocale(text: string): Locale | undefined {
  const language = text.split(/[-_]/, 1)[0]!.toLowerCase()
  return isLocale(language) ? language : undefined
}
