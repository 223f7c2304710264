import { CatalogueError, type ItemId, type LotId, type SessionId } from '@auction-catalogue/client'
import { printMoney } from '../mapping/amounts.ts'
import { Refused, refuse } from '../rejections.ts'
import { Names } from '../names.ts'
import type { CellOf, FieldError, Place, Records, SourceRecord } from '../records.ts'
import type { Outcome, Run } from './run.ts'
import { Shelf } from './shelf.ts'

/**
 * A lot that staff must add: the HTTP interface cannot. Session and item are ids, or the references of planned records. The
 * starting bid is in minor units.
 */
export type MissingLot = { line: number; session: string; item: string; number: number; starting_bid: number | null }

/** Lots of a session that the source does not name: their rows may have been deleted. */
export type UnnamedLots = { session: string; numbers: number[] }

/** The fields of a lot that are compared. */
type Lot = { id: LotId; item: ItemId; active: boolean; starting_bid: number | null }

/** A lot of the source that is to be switched. */
type Waiting = { source: SourceRecord; record: Records['lot']; id: LotId }

/** An item for which the source has no lot, and the cell in which its number would stand. */
type Absent = { place: Place; record: Records['lot']; item: string; cell: ReturnType<CellOf> }

/** Lots of a session that are switched together. */
type Batch = { session: SessionId; active: boolean; lots: Waiting[] }

// The service takes up to 5,000. Fewer keep the memory small.
const switchedAtOnce = 1_000

// The errors of each lot of a request that the service refused because of these lots.
function errorsByLot(error: unknown): Map<number, FieldError[]> {
  const byLot = new Map<number, FieldError[]>()
  for (const each of (error instanceof CatalogueError && error.errors) || []) {
    const index = /^lots\.(\d+)$/.exec(each.field)?.[1]
    if (index !== undefined) byLot.set(Number(index), [{ ...each, field: 'active' }])
  }
  return byLot
}

/** Compares the lots of a source with those of its sessions. `settle` gets the end of each lot that waited. */
export class SessionLots {
  readonly missing: MissingLot[] = []
  readonly #run: Run
  // By the numbers of the lots that the source has not named yet, their numbers on the shelf.
  readonly #sessions = new Map<string, Promise<Map<number, number>>>()
  // The numbers of the lots by their sessions and items, and the lines of the lots of the source by sessions and numbers.
  readonly #offered = new Names()
  readonly #lines = new Names()
  readonly #settle: (source: SourceRecord, record: Records['lot'], error?: unknown) => void
  readonly #batches = new Map<string, Batch>()
  readonly #absent: Absent[] = []
  #shelf: Promise<Shelf<Lot>> | undefined

  constructor(run: Run, settle: (source: SourceRecord, record: Records['lot'], error?: unknown) => void) {
    this.#run = run
    this.#settle = settle
  }

  async #read(session: string): Promise<Map<number, number>> {
    const shelf = await (this.#shelf ??= Shelf.open())
    const lots = new Map<number, number>()
    for await (const { id, item, active, lot_number, starting_bid } of this.#run.catalogue.lots.list({
      session: session as SessionId,
    }))
      if (lot_number !== null) {
        lots.set(lot_number, shelf.add({ id, item, active, starting_bid: starting_bid?.amount ?? null }))
        this.#offered.set(`${session} ${item}`, lot_number)
      }
    return lots
  }

  async #lotsOf(session: string): Promise<Map<number, number>> {
    const lots = this.#sessions.get(session) ?? this.#run.slots.use(() => this.#read(session))
    this.#sessions.set(session, lots)
    return lots
  }

  async #find(session: string, number: number): Promise<Lot | undefined> {
    const lots = await this.#lotsOf(session)
    const onShelf = lots.get(number)
    lots.delete(number)
    return onShelf === undefined ? undefined : (await this.#shelf!).get(onShelf)
  }

  /** Notes a lot before the run takes it. The first line with a number has the lot. */
  expect({ session, lot_number }: Records['lot'], { line }: Place): void {
    const name = `${session} ${lot_number}`
    if (this.#lines.get(name) === undefined) this.#lines.set(name, line)
  }

  /** Notes an item for which the source has no lot, and the session of its row. No session of the source may offer it. */
  async expectNone(
    { place, cellOf }: SourceRecord,
    record: Records['lot'],
    session: string | undefined,
    item: string,
  ): Promise<void> {
    if (session !== undefined) await this.#lotsOf(session)
    this.#absent.push({ place, record, item, cell: cellOf?.('lot_number') })
  }

  #checkAbsent(): void {
    for (const { place, record, item, cell } of this.#absent)
      for (const session of this.#sessions.keys()) {
        const number = this.#offered.get(`${session} ${item}`)
        if (number === undefined) continue
        const message = `is ${number} in the catalogue: only staff can take a lot out`
        const error = new Refused([{ field: 'lot_number', code: 'differs', message, ...cell }])
        this.#settle({ place, record, errors: [], isAbsent: true }, record, error)
      }
  }

  // All lots of a batch or none: those that hinder the others are refused, and the others are sent again.
  async #switch({ session, active, lots }: Batch): Promise<void> {
    const { catalogue, mode, slots } = this.#run
    const body = { active, lots: lots.map(({ id }) => id) }
    try {
      await slots.use(() => catalogue.sessions.updateLots(session, body, { dryRun: mode === 'plan' }))
    } catch (error) {
      const errors = errorsByLot(error)
      for (const [index, { source, record }] of lots.entries())
        if (errors.size === 0) this.#settle(source, record, error)
        else if (errors.has(index)) this.#settle(source, record, new Refused(errors.get(index)!))
      const left = lots.filter((_, index) => !errors.has(index))
      if (errors.size > 0 && left.length > 0) await this.#switch({ session, active, lots: left })
      return
    }
    for (const { source, record, id } of lots) {
      this.#run.tell({ place: source.place, record, outcome: 'changed', id, fields: ['active'] })
      this.#settle(source, record)
    }
  }

  async #add(session: SessionId, active: boolean, lot: Waiting): Promise<void> {
    const name = `${session} ${active}`
    const batch = this.#batches.get(name) ?? { session, active, lots: [] }
    this.#batches.set(name, batch)
    batch.lots.push(lot)
    if (batch.lots.length < switchedAtOnce) return
    this.#batches.delete(name)
    await this.#switch(batch)
  }

  /** The numbers of the lots that the source does not name, by the ids of its sessions. */
  async findUnnamed(): Promise<UnnamedLots[]> {
    const found: UnnamedLots[] = []
    for (const [session, lots] of this.#sessions) {
      const numbers = [...(await lots).keys()].toSorted((a, b) => a - b)
      if (numbers.length > 0) found.push({ session, numbers })
    }
    return found
  }

  /** Switches the lots that still wait, and checks the items without a lot. */
  async finish(): Promise<void> {
    this.#checkAbsent()
    await Promise.all([...this.#batches.values()].map((batch) => this.#switch(batch)))
  }

  /**
   * Compares a lot. One that is to be switched on or off waits for others of its session. `session` and `item` have ids,
   * or the references of planned records.
   * @throws Refused if staff must change the lot
   */
  async bring(
    source: SourceRecord,
    record: Records['lot'],
    session: { id: string | undefined; name: string },
    item: { id: string | undefined; name: string },
  ): Promise<Outcome | 'waiting'> {
    const number = record.lot_number
    if (number === undefined || number === null) throw refuse('lot_number', 'required', 'a lot needs a number')
    const first = this.#lines.get(`${record.session} ${number}`)
    if (first !== undefined && first !== source.place.line)
      throw refuse('lot_number', 'duplicate', `the session has two lots ${number}: line ${first} has the other`)
    const stored = session.id === undefined ? undefined : await this.#find(session.id, number)
    if (stored === undefined) {
      const starting_bid = record.starting_bid?.amount ?? null
      this.missing.push({
        line: source.place.line,
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
    // Staff may set a bid that the sheet never had.
    const isCompared = bid || (bid === null && this.#run.mode === 'verify')
    if (isCompared && (bid?.amount ?? null) !== present) {
      const currency = bid?.currency ?? (await this.#run.house()).currency
      const shown = present === null ? 'not set' : printMoney({ amount: present, currency })
      throw refuse('starting_bid', 'differs', `is ${shown} in the catalogue: only staff can change it`)
    }
    const { active } = record
    if (active === undefined || active === null || active === stored.active) return 'same'
    if (this.#run.mode === 'verify')
      throw refuse('active', 'differs', `lot ${number} is ${stored.active ? 'on' : 'off'} in the catalogue`)
    await this.#add(session.id as SessionId, active, { source, record, id: stored.id })
    return 'waiting'
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
