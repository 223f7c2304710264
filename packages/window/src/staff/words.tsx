import type { LotResult } from '@auction-catalogue/client'
import { useFormats } from '../formats.ts'
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
