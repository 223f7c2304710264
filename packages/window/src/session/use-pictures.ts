import { useQueryClient } from '@tanstack/react-query'
import type { ItemId } from '@auction-catalogue/client'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { itemIdOf, itemOf, lookAtPictures, useLooks, type Lot } from '../api/index.ts'
import { needsLook } from './filters.ts'

// First the lots that certainly have pictures processing or failed, then those without any.
function rank(lot: Lot): number {
  if (!needsLook(lot)) return 2
  return itemOf(lot)!.images.length > 0 ? 0 : 1
}

/**
 * Reads the pictures of the items of lots: of those without a photograph, or of `all`. A lot with a photograph may
 * still have a picture that is private, or that failed when it was processed again. Returns the progress: `looked` of
 * the `of` items, `missed` with the errors of others, and whether the pictures of all lots are known.
 */
export function usePictures(lots: Lot[], all: boolean) {
  const client = useQueryClient()
  const items = useMemo(() => {
    const wanted = lots.filter((lot) => all || needsLook(lot)).toSorted((one, other) => rank(one) - rank(other))
    return [...new Set(wanted.map(itemIdOf))]
  }, [lots, all])
  const latest = useRef(items)
  useLayoutEffect(() => {
    latest.current = items
  })
  useEffect(() => {
    const controller = new AbortController()
    void lookAtPictures(client, () => latest.current, controller.signal)
    return () => controller.abort()
  }, [client])
  const { seen: pictures, missed: errors } = useLooks()
  return useMemo(() => {
    const missed = items.flatMap((id) => (errors.has(id) ? [errors.get(id)] : []))
    const isSeen = (id: ItemId) => pictures.has(id) && !errors.has(id)
    const looked = items.filter(isSeen).length
    const isWhole = lots.every((lot) => isSeen(itemIdOf(lot)))
    return { pictures, errors, missed, looked, of: items.length, isWhole }
  }, [lots, items, pictures, errors])
}
