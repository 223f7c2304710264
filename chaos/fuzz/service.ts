import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { findNamedFiles } from '../../src/backup/files.ts'
import { permissions } from '../../src/context.ts'
import { cleanStore } from '../../src/images/clean-store.ts'
import { filesIn } from '../../src/images/files.ts'
import type { Catalogue } from '../../src/running/catalogue.ts'
import { findUnfinished } from '../../test/support/jobs.ts'
import { storedFiles } from '../../test/support/pictures.ts'
import { findPort, residentMemory, runCommand, startProcess } from '../../test/support/process.ts'
import { openService, type Service } from '../lib/service.ts'
import type { Holder } from './call.ts'
import { catalogueLines, defective, houses } from './houses.ts'

type Stores = Pick<Catalogue, 'db' | 'media'>

const settleMilliseconds = 300_000
const usualMilliseconds = 5_000

/** Starts two processes of the service with loaded houses, one of them with a rate limit, for `work`. */
export async function withService<T>(work: (target: Target) => Promise<T>): Promise<T> {
  // A limit that is never reached, but makes the service send the headers.
  const service = await openService({ RATE_LIMIT_PER_MINUTE: '999999999', LOG_LEVEL: 'warn' })
  const port = await findPort()
  try {
    const limits = { PORT: String(port), RATE_LIMIT_PER_MINUTE: '100', WORKER: 'off' }
    const limited = await startProcess({ ...service.settings, ...limits })
    try {
      return await work(await prepare(service, port, limited.child))
    } finally {
      await limited.stop()
    }
  } finally {
    await service.close()
  }
}

/** The service under test, see `prepare`. */
export type Target = Awaited<ReturnType<typeof prepare>>

async function prepare(service: Service, limitedPort: number, other: Service['child']) {
  const { folder, origin, port, command, issueKey, settings } = service
  const log: Record<string, unknown>[] = []
  for (const child of [service.child, other])
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.startsWith('{')) log.push(JSON.parse(line) as Record<string, unknown>)
    })
  const file = path.join(folder, 'houses.ndjson')
  await writeFile(file, Array.from(catalogueLines(), (line) => `${JSON.stringify(line)}\n`).join(''))
  await command('load', file)

  const holders: [weight: number, holder: Holder][] = []
  for (const [index, house] of houses.entries())
    holders.push([[60, 20, 8][index]!, { house, key: (await issueKey(house, '--all')).key, may: 'everything' }])
  const [house] = houses
  const reads = permissions.filter((each) => each.endsWith('.read')).join(',')
  holders.push([5, { house, key: (await issueKey(house, '--permissions', reads)).key, may: 'read' }])
  const revoked = await issueKey(house, '--all')
  await command('keys', 'revoke', revoked.id)
  for (const key of [revoked.key, undefined, 'ack_nonsense']) holders.push([1, { house, key, may: 'nothing' }])
  // The exit code is 1 if there is a violation.
  const doctor = async () => {
    const { stdout } = await runCommand(settings, 'doctor', '--json')
    return (JSON.parse(stdout) as object[]).map((defect) => JSON.stringify(defect))
  }
  const planted = new Set(await doctor())

  return {
    folder,
    origin,
    port,
    limitedPort,
    holders,
    /** Resident memory of the service in MiB. */
    memory: () => residentMemory(service.child),
    settle: () => service.inspect(findStuck),
    /** All violations after the last request. `problems` are the kinds of problems, which have a page each. */
    async examine(problems: Iterable<string>): Promise<string[]> {
      const asked = performance.now()
      const found = await askAgain(origin, holders, problems)
      if (performance.now() - asked > usualMilliseconds) found.push('simple requests have become slow')
      found.push(...(await service.inspect(findStray)))
      const spooled = (await readdir(settings.TMPDIR)).filter((name) => name.startsWith('catalogue-media-'))
      if (spooled.length > 0) found.push(`${spooled.length} folders of uploads are left`)
      // Requests may mend what was planted, for example by a new gallery.
      const defects = (await doctor()).filter((defect) => !planted.has(defect))
      if (defects.length > 0) found.push(`doctor finds ${defects.join(' ').slice(0, 500)}`)
      return [...found, ...describeErrors(log)]
    },
  }
}

// A list with each key again, and the page of each kind of problem.
async function askAgain(origin: string, holders: Target['holders'], problems: Iterable<string>): Promise<string[]> {
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

// Jobs that are still not done after five minutes, and database connections that are not idle.
async function findStuck({ db }: Stores): Promise<string[]> {
  const end = Date.now() + settleMilliseconds
  while ((await findUnfinished(db)).some(({ state }) => state !== 'failed') && Date.now() < end) await sleep(200)
  const { rows } = await sql<{ state: string; query: string }>`
    select state, query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and state_change < now() - interval '1 second' and state <> 'idle'`.execute(db)
  return [
    ...(await findUnfinished(db)).map(
      ({ task, state, last_error }) => `a job ${task} is ${state}: ${last_error?.split('\n', 1)[0]}`,
    ),
    ...rows.map(({ state, query }) => `a connection is ${state}: ${query.slice(0, 100)}`),
  ]
}

// Files that belong to no image, before and after the clean-up of the store, and images whose files are missing.
async function findStray({ db, media }: Stores): Promise<string[]> {
  const named = new Set<string>()
  for await (const { original, renditions, source_widths } of findNamedFiles(db))
    for (const file of [original ?? [], renditions === null ? [] : filesIn({ renditions, source_widths })].flat())
      named.add(file)
  const left = (await storedFiles(media)).filter((key) => !named.has(key))
  await cleanStore({ db, media, clock: () => new Date(Date.now() + 25 * 3_600_000), isLastAttempt: false })
  const files = new Set(await storedFiles(media))
  const missing = [...named].filter((key) => !files.has(key))
  const told: [number, string][] = [
    [left.length, 'files in the store belong to no image'],
    [files.size - named.size + missing.length, 'of them stay when it is cleaned up'],
    [missing.length, 'files that images name are not in the store'],
  ]
  return told.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
}

// The errors in the log, each kind once with its number.
function describeErrors(log: Record<string, unknown>[]): string[] {
  const texts = log.flatMap(({ level, msg, err }) => {
    if (Number(level) < 50) return []
    const { message, stack } = (err ?? {}) as { message?: string; stack?: string }
    const at = stack?.split('\n').find((each) => each.includes('/src/'))
    return [[String(msg), message?.slice(0, 200), at?.trim()].filter(Boolean).join(': ')]
  })
  return Array.from(
    Map.groupBy(texts, (text) => text),
    ([text, { length }]) => `logged ${length} times: ${text}`,
  )
}
