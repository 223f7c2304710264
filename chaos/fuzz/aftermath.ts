import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { cleanStore } from '../../src/images/clean-store.ts'
import { findNamedFiles } from '../../src/backup/files.ts'
import { filesIn } from '../../src/images/files.ts'
import type { Catalogue } from '../../src/running/catalogue.ts'
import { storedFiles } from '../../test/support/pictures.ts'
import type { Holder } from './call.ts'
import { defective } from './houses.ts'
import { findUnfinished } from '../../test/support/jobs.ts'

type Stores = Pick<Catalogue, 'db' | 'media'>

const settleMilliseconds = 300_000

/** Requests a list with each key again, and the page of each kind of problem. Returns the violations. */
export async function askAgain(
  origin: string,
  holders: readonly (readonly [number, Holder])[],
  problems: Iterable<string>,
): Promise<string[]> {
  const found: string[] = []
  for (const [, { key, house, may }] of holders) {
    if (may === 'nothing' || house === defective) continue
    const { status } = await fetch(`${origin}/api/v2/lots?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    if (status !== 200) found.push(`afterwards a list answers ${status}`)
  }
  for (const code of problems) {
    const { status } = await fetch(`${origin}/problems/${code}`)
    if (status !== 200) found.push(`the page of the problem ${code} answers ${status}`)
  }
  return found
}

/** Jobs that are still not done after five minutes, and database connections that are not idle. */
export async function findStuck({ db }: Stores): Promise<string[]> {
  const unfinished = () => findUnfinished(db)
  const end = Date.now() + settleMilliseconds
  while ((await unfinished()).some(({ state }) => state !== 'failed') && Date.now() < end) await sleep(200)
  const jobs = await unfinished()
  const { rows } = await sql<{ state: string; query: string }>`
    select state, query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and state_change < now() - interval '1 second' and state <> 'idle'`.execute(db)
  return [
    ...jobs.map(({ task, state, last_error }) => `a job ${task} is ${state}: ${last_error?.split('\n', 1)[0]}`),
    ...rows.map(({ state, query }) => `a connection is ${state}: ${query.slice(0, 100)}`),
  ]
}

/** Files that belong to no image, before and after the clean-up of the store, and images whose files are missing. */
export async function findStray({ db, media }: Stores): Promise<string[]> {
  const named: string[] = []
  for await (const { original, renditions, source_widths } of findNamedFiles(db))
    named.push(...[original ?? [], renditions === null ? [] : filesIn({ renditions, source_widths })].flat())
  const left = (await storedFiles(media)).filter((key) => !named.includes(key))
  await cleanStore({ db, media, clock: () => new Date(Date.now() + 25 * 3_600_000), isLastAttempt: false })
  const files = new Set(await storedFiles(media))
  const missing = named.filter((key) => !files.has(key))
  return [
    ...(left.length > 0 ? [`${left.length} files in the store belong to no image`] : []),
    ...(files.size > named.length ? [`${files.size - named.length} of them stay when it is cleaned up`] : []),
    ...(missing.length > 0 ? [`${missing.length} files that images name are not in the store`] : []),
  ]
}

/** The errors in the log of the service, each kind once with its number. */
export function describeErrors(log: Record<string, unknown>[]): string[] {
  const counts = new Map<string, number>()
  for (const { level, msg, err } of log) {
    if (Number(level) < 50) continue
    const { message, stack } = (err ?? {}) as { message?: string; stack?: string }
    const at = stack?.split('\n').find((each) => each.includes('/src/'))
    const text = [String(msg), message?.slice(0, 200), at?.trim()].filter(Boolean).join(': ')
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return Array.from(counts, ([text, count]) => `logged ${count} times: ${text}`)
}
