import { use } from 'react'
import { loadPart } from '../../parts/load.ts'
import { useSettings, type Language } from '../../settings.ts'
import type { StaffTexts } from './en.ts'

const catalogues: Record<Language, () => Promise<StaffTexts>> = {
  en: async () => (await import('./en.ts')).en,
  nl: async () => (await import('./nl.ts')).nl,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
}
const loading = new Map<Language, Promise<StaffTexts>>()

/** The texts of the pages for staff, which only these pages load. */
export function useStaffTexts(): StaffTexts {
  const { language } = useSettings()
  if (!loading.has(language)) loading.set(language, loadPart(catalogues[language]))
  return use(loading.get(language)!)
}
