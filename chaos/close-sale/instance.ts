import { describeProblem } from '../../src/cli/command-error.ts'
import { serve } from '../../src/cli/operator/serving.ts'
import { contextNow, type House } from '../../src/context.ts'
import { isGivenUp, isOutOfService, isUnreachable, UnknownOutcome } from '../../src/db/errors.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { Problem } from '../../src/problems.ts'
import { plainPrinter } from '../../src/sentences.ts'
import { answerOrders, type Answer } from '../lib/instances.ts'
import { carryOut, type Done, type Order } from './orders.ts'
import { house as slug } from './sale.ts'

// The service and its worker, in a process that can be killed. Orders set its clock, and tell it what bidders and clerks
// ask.

/** Sets the clock: so many minutes ahead. */
export type Clock = { minutes: number }

const machine = Date
let minutes = Number(process.env.CLOCK_MINUTES)
const now = () => machine.now() + minutes * 60_000
globalThis.Date = class extends machine {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(now())
    else super(...given)
  }
  static override now = now
} as typeof Date

await serve({}, new AbortController().signal, undefined)
const { db } = openDatabase({ connectionString: process.env.DATABASE_URL! }, 10)
let house: House | undefined
// As in the journal, whose reasons have no ids.
const printer = { ...plainPrinter, name: ({ kind }: { kind: string }) => kind }

async function obey(order: Order | Clock): Promise<Done> {
  if ('minutes' in order) {
    minutes = order.minutes
    return {}
  }
  house ??= (await findHouse(db, slug))!
  return carryOut(contextNow(db, house), order)
}

function explain(error: unknown): Answer<Done> {
  if (error instanceof Problem) return { refused: describeProblem(error, printer, house) }
  if (isUnreachable(error) || isGivenUp(error) || isOutOfService(error) || error instanceof UnknownOutcome)
    return { unknown: String(error) }
  return { fault: error instanceof Error ? error.stack! : String(error) }
}

answerOrders(obey, explain)
