import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { itemIdOf, itemOf, lookAtPictures, usePicturesSeen, type Lot, type Pictures } from '../api/index.ts'
import { needsLook } from './filters.ts'

// First the lots whose pictures are processing or failed for sure, then those without any.
function rank(lot: Lot): number {
  if (!needsLook(lot)) return 2
  return itemOf(lot)!.images.length > 0 ? 0 : 1
}

/**
 * All pictures of the items of lots as far as they were looked at: of those that have none to show, or of `all`. A lot with
 * a photograph may still have a picture that is private, or failed when it was processed again.
 */
export function usePictures(lots: Lot[], all = false): { pictures: Pictures; looked: number; of: number } {
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
  const pictures = usePicturesSeen()
  const looked = items.filter((id) => pictures.has(id)).length
  return { pictures, looked, of: items.length }
}
