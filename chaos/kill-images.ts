import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../src/config.ts'
import { cleanStore } from '../src/images/clean-store.ts'
import { filesIn } from '../src/images/files.ts'
import { listJobs } from '../src/jobs/jobs.ts'
import { findUnfinished } from '../test/support/jobs.ts'
import { openCatalogue } from '../src/catalogue.ts'
import { json, openClient, type Content } from '../test/support/client.ts'
import { form, picture, storedFiles } from '../test/support/pictures.ts'
import { findPort, runCommand, startProcess } from '../test/support/process.ts'
import { houseLine, uuid } from '../test/support/lines.ts'

// Kills the service and its worker at random moments during uploads, replacements of galleries and deletions. At the end
// every row must have its files, every file its row, and every acknowledged write must be stored.
// npx node chaos/kill-images.ts [uploads]

const wanted = Number(process.argv[2] ?? 500)
const items = 5
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-kill-'))
const port = await findPort()
const settings = {
  DATA_DIR: path.join(folder, 'data'),
  RATE_LIMIT_PER_MINUTE: '0',
  PORT: String(port),
  LOG_LEVEL: 'fatal',
}
const lines = [
  houseLine('kill'),
  ...Array.from({ length: items }, (_, at) => ({
    type: 'item',
    id: uuid(at),
    translations: { nl: { title: 'Vaas' } },
  })),
]
await writeFile(path.join(folder, 'house.ndjson'), lines.map((line) => JSON.stringify(line)).join('\n'))
await runCommand(settings, 'load', path.join(folder, 'house.ndjson'))
const { stdout } = await runCommand(settings, 'keys', 'create', '--house', 'kill', '--all', '--json')
const client = openClient(`http://127.0.0.1:${port}`, (JSON.parse(stdout) as { key: string }).key)

const acknowledged = new Map<string, 'stored' | 'deleted' | 'unknown'>()
const jpeg = await picture('#884422', 800, 600)
let uploads = 0
let replacements = 0
let kills = 0

const isDone = () => uploads >= wanted

const pick = <T>(from: T[]): T | undefined => from[Math.floor(Math.random() * from.length)]

async function call(method: string, path: string, content?: Content) {
  const { status, text } = await client.call(method, path, content)
  return { status, data: text === '' ? undefined : (JSON.parse(text) as { data: never }).data }
}

async function act(actor: number): Promise<void> {
  const item = `items/${uuid(Math.floor(Math.random() * items))}`
  const dice = Math.random()
  if (dice < 0.6) {
    const content = form(['external_reference', `${actor}-${Math.random()}`], ['file', jpeg, 'a.jpg'])
    const { status, data } = await call('POST', `${item}/images`, content)
    if (status !== 201) return
    acknowledged.set((data as unknown as { id: string }).id, 'stored')
    uploads++
    return
  }
  const { data } = await call('GET', `${item}/images?limit=100`)
  const images = (data as unknown as { id: string }[]).map((image) => image.id)
  if (dice < 0.9) {
    const gallery = images.filter(() => Math.random() < 0.7).toSorted(() => Math.random() - 0.5)
    const order = json({ images: gallery, featured: pick(gallery) ?? null })
    const { status } = await call('PATCH', `${item}/gallery`, order)
    if (status === 200) replacements++
    return
  }
  const doomed = pick(images)
  if (doomed === undefined) return
  acknowledged.set(doomed, 'unknown')
  const { status } = await call('DELETE', `${item}/images/${doomed}`)
  if (status === 204) acknowledged.set(doomed, 'deleted')
}

async function actUntilDone(actor: number): Promise<void> {
  while (!isDone()) await act(actor).catch(() => sleep(50))
}

async function killAtRandom(): Promise<void> {
  while (!isDone()) {
    const service = await startProcess(settings)
    await sleep(300 + Math.random() * 3000)
    await service.stop('SIGKILL')
    kills++
  }
}

await Promise.all([killAtRandom(), ...Array.from({ length: 8 }, (_, actor) => actUntilDone(actor))])

const last = await startProcess(settings)
const catalogue = await openCatalogue(readConfig(settings))
const { db, media } = catalogue
const start = performance.now()
while ((await findUnfinished(db)).length > 0) {
  if (performance.now() - start > 180_000) throw new Error(JSON.stringify(await listJobs(db, { failed: false })))
  await sleep(200)
}
const settled = (performance.now() - start) / 1000
await last.stop()
const { rows } = await sql<{ id: string; public: boolean; processing: boolean; original: string; renditions: string }>`
  select 'img_' || public_id as id, public, processing, original, renditions from catalogue.images`.execute(db)
const before = await storedFiles(media)
const tomorrow = () => new Date(Date.now() + 25 * 60 * 60 * 1000)
await cleanStore({ db, media, now: tomorrow, isLastAttempt: false })
const files = await storedFiles(media)
await catalogue.close()

assert.deepEqual(
  rows.filter((row) => row.processing || row.renditions.startsWith('public/') !== row.public),
  [],
)
assert.deepEqual(files, rows.flatMap((row) => [row.original, ...filesIn(row.renditions)]).toSorted())
const stored = new Set(rows.map((row) => row.id))
for (const [id, state] of acknowledged) if (state !== 'unknown') assert.equal(stored.has(id), state === 'stored', id)
process.stdout.write(
  `${uploads} uploads, ${replacements} replacements, ${kills} kills: ${rows.length} images, ${files.length} files, ` +
    `${before.length - files.length} left by crashes and cleaned up; settled in ${settled.toFixed(1)} s\n`,
)
await rm(folder, { recursive: true, force: true })
