import type { ManagedImage } from '@auction-catalogue/client'
import { useQueries } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { imagesQuery, itemIdOf, type Lot } from '../api/index.ts'
import { needsLook, type Pictures } from './filters.ts'

// Each item asks the service once. A catalogue that just arrived may have thousands without pictures.
const most = 60
// The changes tell of a picture that is ready, but not of one that failed. So many items are asked again seldom.
const refetchInterval = 30_000

/** All pictures of the items that have none to show, or one that is not ready: those that may be failed or private. */
export function usePictures(lots: Lot[]): { pictures: Pictures; isComplete: boolean; looked: number } {
  const items = useMemo(() => [...new Set(lots.filter(needsLook).map(itemIdOf))], [lots])
  const combine = useCallback(
    (results: { data: ManagedImage[] | undefined }[]) => {
      const entries = results.flatMap(({ data }, index) => (data ? [[items[index]!, data] as const] : []))
      return { pictures: new Map(entries), isComplete: entries.length === results.length && items.length <= most }
    },
    [items],
  )
  const found = useQueries({ queries: items.slice(0, most).map((item) => imagesQuery(item, refetchInterval)), combine })
  return { ...found, looked: items.length }
}
