import type { Translation } from '@auction-catalogue/client'
import { itemOf, type Lot } from '../../api/index.ts'

/** What a lot lacks before it can be sold well. */
export type Lack = 'photograph' | 'text' | 'translation' | 'estimate' | 'startingBid'

type Translations = Record<string, Translation | undefined>
const translationsOf = (lot: Lot) => (itemOf(lot)?.translations ?? {}) as Translations

/** The languages in which any of the lots has a title, beside that of the house. */
export const findLanguages = (lots: Lot[], own: string): string[] => [
  ...new Set(
    lots.flatMap((lot) =>
      Object.entries(translationsOf(lot)).flatMap(([locale, texts]) =>
        texts?.title && locale !== own ? [locale] : [],
      ),
    ),
  ),
]

/** What a lot lacks, where the other lots of its session have titles in these languages. */
export function findLacks(lot: Lot, languages: readonly string[]): Lack[] {
  const item = itemOf(lot)
  if (item === null) return []
  const lacks: Record<Lack, boolean> = {
    photograph: item.images.length === 0,
    text: !item.description,
    translation: languages.some((locale) => !translationsOf(lot)[locale]?.title),
    estimate: !item.estimate?.low && !item.estimate?.high,
    startingBid: lot.starting_bid === null,
  }
  return (Object.keys(lacks) as Lack[]).filter((lack) => lacks[lack])
}
