import { CatalogueError, type ItemId, type LotId, type SessionId } from '@auction-catalogue/client'
import { printMoney } from '../mapping/amounts.ts'
import { changeGuarded } from './carrier.ts'
import { refuse } from './rejections.ts'
import type { Place, Records } from '../records.ts'
import type { Outcome, Run } from './run.ts'
import { Shelf } from './shelf.ts'

/**
 * A lot that staff must add: the HTTP interface cannot. Session and item are ids, or the references of planned records. The
 * starting bid is in minor units.
 */
export type MissingLot = { line: number; session: string; item: string; number: number; starting_bid: number | null }

/** The fields of a lot that are compared. */
type Lot = { id: LotId; item: ItemId; active: boolean; starting_bid: number | null }

/** Compares the lots of a source with those of its sessions. */
export class SessionLots {
  readonly missing: MissingLot[] = []
  readonly #run: Run
  // By the numbers of the lots, their numbers on the shelf.
  readonly #sessions = new Map<string, Promise<Map<number, number>>>()
  readonly #taken = new Map<string, Set<number>>()
  #shelf: Promise<Shelf<Lot>> | undefined

  constructor(run: Run) {
    this.#run = run
  }

  async #read(session: string): Promise<Map<number, number>> {
    const shelf = await (this.#shelf ??= Shelf.open())
    const lots = new Map<number, number>()
    for await (const { id, item, active, lot_number, starting_bid } of this.#run.catalogue.lots.list({
      session: session as SessionId,
    }))
      if (lot_number !== null)
        lots.set(lot_number, shelf.add({ id, item, active, starting_bid: starting_bid?.amount ?? null }))
    return lots
  }

  async #find(session: string, number: number): Promise<Lot | undefined> {
    const lots = this.#sessions.get(session) ?? this.#run.slots.use(() => this.#read(session))
    this.#sessions.set(session, lots)
    const onShelf = (await lots).get(number)
    return onShelf === undefined ? undefined : (await this.#shelf!).get(onShelf)
  }

  // The body has only the flag, so it overwrites no other change. It has a guard only if the key requires one.
  async #switch(id: LotId, active: boolean): Promise<void> {
    const { lots } = this.#run.catalogue
    const change = { active }
    const dryRun = this.#run.mode === 'plan'
    try {
      await this.#run.slots.use(() => lots.update(id, change, { dryRun }))
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.code !== 'precondition-required') throw error
      await changeGuarded(this.#run, {
        get: () => lots.get(id),
        change: (lot) => (lot.active === active ? undefined : change),
        update: (body, options) => lots.update(id, body, options),
      })
    }
  }

  /**
   * Compares a lot, and switches it on or off. `session` and `item` have ids, or the references of planned records.
   * @throws Refused if staff must change the lot
   */
  async bring(
    place: Place,
    record: Records['lot'],
    session: { id: string | undefined; name: string },
    item: { id: string | undefined; name: string },
  ): Promise<Outcome> {
    const number = record.lot_number
    if (number === undefined || number === null) throw refuse('lot_number', 'required', 'a lot needs a number')
    const taken = this.#taken.get(session.name) ?? new Set()
    this.#taken.set(session.name, taken)
    if (taken.has(number)) throw refuse('lot_number', 'duplicate', `the session has two lots ${number}`)
    taken.add(number)
    const stored = session.id === undefined ? undefined : await this.#find(session.id, number)
    if (stored === undefined) {
      const starting_bid = record.starting_bid?.amount ?? null
      this.missing.push({
        line: place.line,
        session: session.id ?? session.name,
        item: item.id ?? item.name,
        number,
        starting_bid,
      })
      return 'missing'
    }
    if (stored.item !== item.id)
      throw refuse('item', 'differs', `lot ${number} offers another item: only staff can change lots`)
    const [bid, present] = [record.starting_bid, stored.starting_bid]
    if (bid && bid.amount !== present) {
      const shown = present === null ? 'not set' : printMoney({ ...bid, amount: present })
      throw refuse('starting_bid', 'differs', `is ${shown} in the catalogue: only staff can change it`)
    }
    const { active } = record
    if (active === undefined || active === null || active === stored.active) return 'same'
    if (this.#run.mode === 'verify')
      throw refuse('active', 'differs', `lot ${number} is ${stored.active ? 'on' : 'off'} in the catalogue`)
    await this.#switch(stored.id, active)
    this.#run.tell({ place, record, outcome: 'changed', id: stored.id, fields: ['active'] })
    return 'changed'
  }

  async close(): Promise<void> {
    const shelf = await this.#shelf?.catch(() => undefined)
    await shelf?.close()
  }
}

const lotsOfPiece = 1000

/** The file for `bin/catalogue lots add --file`, in pieces. */
export function* printLots(lots: MissingLot[]): Generator<string> {
  const quote = (text: string) => (/[",\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  yield 'session,item,number,starting_bid_minor\n'
  for (let first = 0; first < lots.length; first += lotsOfPiece) {
    const rows = lots
      .slice(first, first + lotsOfPiece)
      .map(({ session, item, number, starting_bid }) => [quote(session), quote(item), number, starting_bid ?? ''])
    yield rows.map((row) => `${row.join(',')}\n`).join('')
  }
}

/** The command that adds one lot. */
export function printLot({ session, item, number, starting_bid }: MissingLot): string {
  const quote = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)
  const bid = starting_bid === null ? '' : ` --starting-bid-minor ${starting_bid}`
  return `bin/catalogue lots add --session ${quote(session)} --item ${quote(item)} --number ${number}${bid}`
}
