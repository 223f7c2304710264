import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import type { Locale } from '../values/locales.ts'
import { HouseIndex, type LeftOut } from './index/house.ts'
import type { Rows } from './index/rows.ts'
import { Matching } from './matching.ts'
import type { Found, Search } from './search.ts'
import { search } from './stages.ts'
import type { QueryFault } from './words/query.ts'

// The indexes of all houses, in a thread of their own: the event loop of the requests is never held. Work of one house is
// done in its order; houses take turns, in slices.

/** What the thread is asked. `house`: a number for each index. `rows`: JSON; see index/rows.ts. */
export type Task = { house: number } & (
  | { do: 'open'; locale: Locale }
  | { do: 'apply'; rows: string; leftOut: LeftOut | undefined }
  | { do: 'search'; search: Search }
  | { do: 'drop' }
)

/** The memory of an index, and how many items it has. */
export type Size = { bytes: number; items: number }

/** The answer to a task. `lotless`: items whose lots have come before them. */
export type Answer = { id: number; size?: Size; lotless?: string[]; found?: Found | QueryFault; error?: unknown }

type House = { index: HouseIndex; matching: Matching; work: Promise<unknown> }

const sliceMilliseconds = 5
const houses = new Map<number, House>()
let began = performance.now()

async function rest(): Promise<void> {
  await setImmediate()
  began = performance.now()
}

const pause = () => (performance.now() - began < sliceMilliseconds ? undefined : rest())

async function carryOut(house: House, task: Task): Promise<Omit<Answer, 'id'>> {
  const { index, matching } = house
  if (task.do === 'search') return { found: await search(index, matching, task.search, pause) }
  const lotless = task.do === 'apply' ? await index.apply(JSON.parse(task.rows) as Rows, task.leftOut, pause) : []
  return { lotless, size: { bytes: index.bytes + matching.bytes, items: index.items.count } }
}

parentPort!.on('message', ({ id, task }: { id: number; task: Task }) => {
  began = performance.now()
  if (task.do === 'drop') {
    houses.delete(task.house)
    parentPort!.postMessage({ id })
    return
  }
  if (task.do === 'open') {
    const index = new HouseIndex(task.locale)
    houses.set(task.house, { index, matching: new Matching(index), work: Promise.resolve() })
  }
  const house = houses.get(task.house)
  if (!house) {
    parentPort!.postMessage({ id, error: new Error('the index was dropped') })
    return
  }
  house.work = house.work
    .then(() => carryOut(house, task))
    .then(
      (answer) => parentPort!.postMessage({ id, ...answer }),
      (error: unknown) => parentPort!.postMessage({ id, error }),
    )
})
