// The fields of a row that describe its auction and its session.
import { parseInstant } from './dates.ts'
import type { Fields } from './fields.ts'
import type { Mapping } from './mapping.ts'
import { Misfit } from '../misfit.ts'
import { compact, type LoadRecord, type Records } from '../records.ts'

/** Parses a whole number of at most nine digits. */
export const wholeNumber = (text: string): number => {
  if (!/^-?\d{1,9}$/.test(text)) throw new Misfit('is not a whole number')
  return Number(text)
}

function parseKind(text: string): 'live' | 'timed' {
  const kind = text.toLowerCase()
  if (kind !== 'live' && kind !== 'timed') throw new Misfit('is not a kind of session: write live or timed')
  return kind
}

function parseSettings(text: string): { buyer_premium_percentage: string } {
  const [, number, sign] = /^(\d{1,3}(?:[.,]\d+)?)\s*(%?)$/.exec(text) ?? []
  if (number === undefined) throw new Misfit('is not a percentage, such as 24,5 or 24,5 %')
  const premium = number.replace(',', '.')
  if (sign === '' && Number(premium) > 0 && Number(premium) < 1)
    throw new Misfit(
      `could be ${Number((Number(premium) * 100).toPrecision(15))} %, or ${premium} %: write it with a % sign`,
    )
  return { buyer_premium_percentage: premium }
}

// An empty block means that the sheet does not say the kind.
function readTimed(cells: Fields, first_closes_at: string | null | undefined): Records['session']['timed'] {
  const timed = compact({
    first_closes_at,
    group_size: cells.read('session.group_size', 'timed.group_size', wholeNumber),
    interval_seconds: cells.read('session.interval_seconds', 'timed.interval_seconds', wholeNumber),
  })
  return Object.keys(timed).length === 0 && cells.isMapped('session.kind') ? undefined : timed
}

/** The ref of the row's session; undefined if the row has none. Auction and strategy come before the session. */
export function readSession(
  cells: Fields,
  mapping: Mapping,
  point: (record: LoadRecord) => string,
): string | undefined {
  const auctionReference = cells.text('auction', ' ')
  const auction =
    auctionReference &&
    point(
      compact({
        type: 'auction',
        ref: `auction/${auctionReference}`,
        external_reference: auctionReference,
        title: cells.text('auction.title', ' '),
        description: cells.text('auction.description'),
      }),
    )
  const reference = cells.text('session', ' ')
  if (!reference) return undefined
  const instant = (field: string, target: string) =>
    cells.read(field, target, (text) => parseInstant(text, mapping.dates, mapping.locale, mapping.time_zone!))
  const kind = cells.read('session.kind', 'kind', parseKind) ?? 'timed'
  const opens_at = instant('session.opens_at', 'opens_at')
  const closes_at = instant('session.closes_at', `${kind}.${kind === 'live' ? '' : 'first_'}closes_at`)
  const timed = kind === 'timed' ? readTimed(cells, closes_at) : undefined
  const settings = cells.read('session.buyer_premium_percentage', 'settings', parseSettings)
  const strategy = cells.text('session.increment_strategy', ' ')
  const title = cells.text('session.title', ' ')
  return point(
    compact({
      type: 'session',
      ref: `session/${reference}`,
      auction: auction ?? '',
      external_reference: reference,
      titles: typeof title === 'string' ? { [mapping.locale]: title } : title,
      kind,
      opens_at,
      live: kind === 'live' ? compact({ closes_at }) : undefined,
      timed,
      settings,
      increment_strategy:
        strategy && point({ type: 'increment_strategy', ref: `increment_strategy/${strategy}`, name: strategy }),
    }),
  )
}
