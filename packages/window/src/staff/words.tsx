import { CatalogueError, type LotResult } from '@auction-catalogue/client'
import { useFormats } from '../formats.ts'
import { Words } from '../parts/problem.tsx'
import { useStaffTexts } from './texts/texts.ts'

/** Prints results in words: `Sold €500`. */
export function useResultWords(): (result: LotResult | null) => string {
  const own = useStaffTexts()
  const formats = useFormats()
  return (result) => {
    if (result === null) return own.noResult
    if (result.state !== 'sold') return own[result.state]
    const price = result.amount && formats.money(result.amount)
    if (result.after_sale) return price ? `${own.afterSale} ${price}` : own.afterSale
    return price ? own.sold(price) : own.soldNoPrice
  }
}

/** Why the service refused what staff did, in words. */
export function Refused({ error }: { error: unknown }) {
  const own = useStaffTexts()
  const formats = useFormats()
  const { reason = '', errors = [] } = error instanceof CatalogueError ? error : {}
  const least = errors.find(({ minimum }) => minimum)?.minimum
  if (least) return own.atLeast(formats.money(least))
  return own.reasons[reason] ?? <Words error={error} />
}
