import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { loadPart } from '../parts/load.ts'
import { useSettings, type Language } from '../settings.ts'
import { en, type Texts } from './en.ts'

const catalogues: Record<Language, () => Promise<Texts>> = {
  en: () => Promise.resolve(en),
  nl: async () => (await import('./nl.ts')).nl,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
}

const TextsContext = createContext<Texts>(en)
export const useTexts = (): Texts => use(TextsContext)

export function TextsProvider({ children }: { children: ReactNode }) {
  const { language } = useSettings()
  const [texts, setTexts] = useState<Texts | null>(language === 'en' ? en : null)
  useEffect(() => {
    document.documentElement.lang = language
    let wanted = true
    void loadPart(catalogues[language]).then((loaded) => wanted && setTexts(loaded))
    return () => {
      wanted = false
    }
  }, [language])
  return texts && <TextsContext value={texts}>{children}</TextsContext>
}
