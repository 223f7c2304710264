import { warnings, type Tagged } from '@auction-catalogue/client'
import { useStaffTexts } from '../texts/texts.ts'

/** Says which times of a rehearsed session have passed. */
export function Past({ of }: { of: Tagged<object> }) {
  const own = useStaffTexts().preparing
  const names: Record<string, string> = {
    opens_at: own.opensAt,
    'timed.first_closes_at': own.firstClosesAt,
    'live.closes_at': own.closesAt,
  }
  const passed = of[warnings].map(({ field }) => names[field] ?? field)
  return passed.length > 0 && <p className="refusal">{own.hasPassed(passed.join(', '))}</p>
}
