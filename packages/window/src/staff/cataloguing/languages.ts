import { locales } from '@auction-catalogue/client'
import { useQuery } from '@tanstack/react-query'
import { catalogue } from '../../api/index.ts'

/** The languages of a house: its own, those of its latest hundred items, and others that are needed. */
export function useLanguages(own: string, others: readonly string[]): string[] {
  const { data = [] } = useQuery({
    queryKey: ['languages'],
    queryFn: async ({ signal }) => {
      const { data } = await catalogue().items.list({ limit: 100 }, { signal }).page()
      return [...new Set(data.flatMap(({ translations }) => Object.keys(translations)))]
    },
    staleTime: 300_000,
  })
  return [own, ...locales.filter((each) => each !== own && (data.includes(each) || others.includes(each)))]
}
