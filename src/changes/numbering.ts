import { lockWork } from '../writes/locks.ts'
import type { Scope } from '../context.ts'
import { followedKinds, kinds, type Followed } from '../kinds.ts'
import { markChanged } from '../writes/touch.ts'
import { inTransaction } from '../writes/transaction.ts'
import { sortHouses } from '../houses/reach.ts'
import { doDuty } from '../jobs/duty.ts'
import { enqueue, enqueueRepeated, type Payloads, type TaskContext } from '../jobs/queue.ts'
import {
  analyzeChanges,
  findAuctionsOf,
  findImagesOf,
  findItemsOf,
  findLastNumber,
  findLotsOf,
  findUnmarked,
  findUnmarkedDeletions,
  findVersions,
  takeMarks,
  writeDeletions,
  writeNumbers,
  type Numbered,
  type Versioned,
} from './statements.ts'

// Writers cannot know the order of their commits: neither a clock nor a sequence follows it, and PostgreSQL's own order
// only becomes known when the oldest open transaction ends. So readers number the changes that they see.

const mostMarks = 1_000

/**
 * Numbers the marked records of a house, at most `mostMarks`: each gets the next place in the feed, unless its version
 * is that of its place. With an item its images are compared, with an image the others of its item. Returns whether no mark is left. Then every change committed before the call has a place.
 */
export async function numberChanges(context: Scope): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    await lockWork(tx, 'changes')
    const marks = await takeMarks(tx, mostMarks)
    if (marks.length === 0) return true
    const ids = followedKinds.map((_, kind) => marks.flatMap((mark) => (mark.kind === kind ? [mark.record_id] : [])))
    const of = (kind: Followed) => ids[kinds[kind].number]!
    if (of('item').length > 0) of('lot').push(...(await findLotsOf(tx, of('item'))))
    if (of('session').length > 0) of('auction').push(...(await findAuctionsOf(tx, of('session'))))
    let number = await findLastNumber(tx)
    const numbered: Numbered[] = []
    const add = (kind: Followed, records: Versioned[]) => {
      for (const record of records) numbered.push({ ...record, kind, number: ++number })
    }
    for (const kind of followedKinds)
      if (kind !== 'image' && of(kind).length > 0) add(kind, await findVersions(tx, kind, of(kind)))
    const { items, gone } = await findItemsOf(tx, of('image'))
    // An image that shared its id with a deleted one comes after the deletion.
    add(
      'image',
      gone.map((id) => ({ id, version: null })),
    )
    const changed = [...new Set([...of('item'), ...items])]
    if (changed.length > 0) add('image', await findImagesOf(tx, changed))
    await writeNumbers(
      tx,
      numbered.filter(({ version }) => version !== null),
    )
    await writeDeletions(
      tx,
      numbered.filter(({ version }) => version === null),
    )
    return marks.length < mostMarks
  })
}

const pauseMilliseconds = 10 * 60_000
// A worker that stops waits for one slice.
const sliceMilliseconds = 2_000

/**
 * Numbers the changes of all houses, those without a mark too. So marks do not pile up in a house whose feed has no
 * readers. Works for two seconds, then queues itself again: at once with its place while something is left, else in ten
 * minutes.
 */
export async function numberAllChanges(
  { db }: Pick<TaskContext, 'db'>,
  { place }: Payloads['number_changes'] = {},
): Promise<void> {
  const { reached, away } = await sortHouses(db)
  const scopes = reached.map(({ id }) => ({ db, house: { id } }))
  const analyze = async () => {
    // On Citus it needs all workers.
    if (away.length === 0) await analyzeChanges(db)
    return true
  }
  // Each is taken until it returns true.
  const steps = [
    ...scopes.map((scope) => ({ name: `marked ${scope.house.id}`, take: () => doDuty(() => numberChanges(scope)) })),
    { name: 'analyze', take: analyze },
    ...scopes.flatMap((scope) =>
      unmarked.map(({ name, ...of }) => ({
        name: `${name} ${scope.house.id}`,
        take: () => numberUnmarkedOf(scope, of, doDuty),
      })),
    ),
  ]
  const first = steps.findIndex(({ name }) => name === place)
  const until = performance.now() + sliceMilliseconds
  for (const { name, take } of steps.slice(Math.max(0, first)))
    do {
      if (performance.now() > until) return enqueue(db, 'number_changes', { place: name }, { key: 'number_changes' })
    } while (!(await take()))
  await enqueueRepeated(db, 'number_changes', { delay: pauseMilliseconds })
}

/** Numbers all marked changes of a house. */
export async function numberMarked(context: Scope): Promise<void> {
  while (!(await numberChanges(context)));
}

/** Changes without a mark: the kind of their records, and their ids. */
type Unmarked = { kind: Followed; find: (context: Scope, limit: number) => Promise<string[]> }

const unmarked: (Unmarked & { name: string })[] = [
  { name: 'deletions', kind: 'image', find: findUnmarkedDeletions },
  ...followedKinds.map((kind) => ({
    name: kind,
    kind,
    find: (context: Scope, limit: number) => findUnmarked(context, kind, limit),
  })),
]

/** Numbers changes without a mark, made by an earlier version or by hand. Finds them by their revisions. */
export async function numberUnmarked(context: Scope): Promise<void> {
  for (const of of unmarked) while (!(await numberUnmarkedOf(context, of, (batch) => batch())));
}

// Returns true at the first page that is not full: writers may go on for ever. `run` does each batch.
async function numberUnmarkedOf(
  context: Scope,
  { kind, find }: Unmarked,
  run: <Result>(batch: () => Promise<Result>) => Promise<Result>,
): Promise<boolean> {
  const ids = await run(() => find(context, mostMarks))
  if (ids.length > 0)
    await run(async () => {
      await inTransaction(context, (tx) => markChanged(tx, kind, ids))
      await numberMarked(context)
    })
  return ids.length < mostMarks
}
