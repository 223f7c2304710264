import { describeProblem } from '../../src/cli/command-error.ts'
import { serve } from '../../src/cli/operator/serving.ts'
import { contextNow, type House } from '../../src/context.ts'
import { isGivenUp, isOutOfService, isUnreachable, UnknownOutcome } from '../../src/db/errors.ts'
import { openDatabase } from '../../src/db/pool.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { carryOut, type Done, type Order } from './orders.ts'
import { house as slug } from './sale.ts'
import { Problem } from '../../src/problems.ts'
import { plainPrinter } from '../../src/sentences.ts'

// The service and its worker, in a process that can be killed. Messages set its clock, and tell it what bidders and clerks
// ask.

/** `minutes`: how far the clock is ahead. */
export type Message = { minutes: number } | { id: number; order: Order }

/** `fault`: an error that must not happen. */
export type Answer = { id: number } & ({ done: Done } | { refused: string } | { unknown: string } | { fault: string })

const machine = Date
let ahead = 0
globalThis.Date = class extends machine {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(machine.now() + ahead)
    else super(...given)
  }
  static override now = () => machine.now() + ahead
} as typeof Date

await serve({}, new AbortController().signal, undefined)
const { db } = openDatabase({ connectionString: process.env.DATABASE_URL! }, 10)
let house: House | undefined
// As in the journal, whose reasons have no ids.
const printer = { ...plainPrinter, name: ({ kind }: { kind: string }) => kind }

async function answer(id: number, order: Order): Promise<Answer> {
  try {
    house ??= (await findHouse(db, slug))!
    return { id, done: await carryOut(contextNow(db, house), order) }
  } catch (error) {
    if (error instanceof Problem) return { id, refused: describeProblem(error, printer, house) }
    if (isUnreachable(error) || isGivenUp(error) || isOutOfService(error) || error instanceof UnknownOutcome)
      return { id, unknown: String(error) }
    return { id, fault: error instanceof Error ? error.stack! : String(error) }
  }
}

process.on('message', (message: Message) => {
  if ('minutes' in message) ahead = message.minutes * 60_000
  else void answer(message.id, message.order).then((answered) => process.send?.(answered, () => undefined))
})
process.once('disconnect', () => process.exit())
process.stdout.write('the instance has started\n')
