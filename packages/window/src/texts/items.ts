import type { TextName } from '@auction-catalogue/client'
import type { Language } from '../settings.ts'

/** The names of an item's texts in each language. */
export const textLabels: Record<TextName, Record<Language, string>> = {
  title: { en: 'Title', nl: 'Titel', de: 'Titel', fr: 'Titre' },
  description: { en: 'Description', nl: 'Beschrijving', de: 'Beschreibung', fr: 'Description' },
  condition: { en: 'Condition', nl: 'Conditie', de: 'Zustand', fr: 'État' },
  dimensions: { en: 'Dimensions', nl: 'Afmetingen', de: 'Maße', fr: 'Dimensions' },
  weight: { en: 'Weight', nl: 'Gewicht', de: 'Gewicht', fr: 'Poids' },
}
