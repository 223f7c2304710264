import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { prepare } from '../reads/reads.ts'
import { selectLots } from '../lots/queries.ts'
import { parseId } from '../values/ids.ts'
import { placeBid } from '../lots/bids.ts'

type Amount = { amount: number } | null
type OfferedLot = {
  id: string
  starting_bid: Amount
  current_bid: Amount
  closes_at: string | null
  session: { published: boolean; finished: boolean; customer_bidding_enabled: boolean; opens_at: string | null }
}

const secondsBetween = [8, 25] as const
// Some bidders wait for the end, and bid on the lot that closes next.
const nextToClose = 10

async function findOpenLots(context: Context): Promise<OfferedLot[]> {
  const selection = selectLots(context, { active: true, 'expand[]': ['session'] })
  const found = await prepare(selection, { limit: 1_000, after: undefined }).build()
  const now = context.clock().toISOString()
  return found
    .flatMap(({ json }) => (json === null ? [] : [JSON.parse(json) as OfferedLot]))
    .filter(({ session, closes_at }) => {
      const { published, finished, customer_bidding_enabled, opens_at } = session
      const isOpen = published && !finished && customer_bidding_enabled && opens_at !== null && opens_at <= now
      return isOpen && closes_at !== null && closes_at > now
    })
    .toSorted((one, other) => (one.closes_at! < other.closes_at! ? -1 : 1))
}

/** Places one bid on an open lot that closes soon. Returns the lot's id, or undefined if no lot is open. */
export async function placeDemoBid(context: Context): Promise<string | undefined> {
  const open = (await findOpenLots(context)).slice(0, nextToClose)
  const lot = open[Math.floor(Math.random() * open.length)]
  if (lot === undefined) return undefined
  const present = lot.current_bid?.amount
  // Above every increment of the demo house, and a round amount.
  const amount = present === undefined ? lot.starting_bid?.amount : Math.ceil((present * 1.11) / 1_000) * 1_000
  await placeBid(context, { lot: parseId('lot', lot.id)!, amount: amount ?? 1_000 })
  return lot.id
}

/** Bids on the lots of the demo house now and then, until the signal. */
export async function runDemoBidders(createContext: () => Context, signal: AbortSignal): Promise<void> {
  const [least, most] = secondsBetween
  while (!signal.aborted) {
    await sleep((least + Math.random() * (most - least)) * 1000, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    // The lot closed meanwhile, or the database is away: the next bid may succeed.
    await placeDemoBid(createContext()).catch(() => undefined)
  }
}
