import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '../../src/settings/config.ts'
import { permissions } from '../../src/context.ts'
import { openCatalogue } from '../../src/running/catalogue.ts'
import { findPort, residentMemory, runCommand, startProcess, type RunningService } from '../../test/support/process.ts'
import { askAgain, describeErrors, findStray, findStuck } from './aftermath.ts'
import type { Holder } from './call.ts'
import { catalogueLines, houses } from './houses.ts'

const usualMilliseconds = 5_000

/** The service under test. */
export type Catalogue = Awaited<ReturnType<typeof startCatalogue>>

/** Starts two processes of the service with loaded houses, one of them with a rate limit, and runs `work` on them. */
export async function withCatalogue<T>(work: (catalogue: Catalogue) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-fuzz-'))
  const running: RunningService[] = []
  try {
    return await work(await startCatalogue(folder, running))
  } finally {
    await Promise.all(running.map((each) => each.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

async function startCatalogue(folder: string, running: RunningService[]) {
  const temporary = path.join(folder, 'tmp')
  await mkdir(temporary)
  const [port, limitedPort] = [await findPort(), await findPort()]
  const origin = `http://127.0.0.1:${port}`
  const settings = {
    DATA_DIR: path.join(folder, 'data'),
    TMPDIR: temporary,
    PORT: String(port),
    PUBLIC_URL: origin,
    // A limit that is never reached, but makes the service send the headers.
    RATE_LIMIT_PER_MINUTE: '999999999',
  }
  const command = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand(settings, ...words)
    assert.equal(code, 0, `catalogue ${words.join(' ')}: ${stderr}${stdout}`)
    return stdout
  }
  const log: Record<string, unknown>[] = []
  const start = async (own: Record<string, string>) => {
    const service = await startProcess({ ...settings, ...own })
    let rest = ''
    service.child.stdout!.on('data', (text) => {
      const lines = (rest + String(text)).split('\n')
      rest = lines.pop()!
      for (const line of lines) if (line.startsWith('{')) log.push(JSON.parse(line) as Record<string, unknown>)
    })
    running.push(service)
    return service
  }
  const issue = async (house: string, ...granted: string[]) =>
    JSON.parse(await command('keys', 'create', '--house', house, ...granted, '--json')) as { id: string; key: string }

  const file = path.join(folder, 'houses.ndjson')
  await writeFile(file, Array.from(catalogueLines(), (line) => `${JSON.stringify(line)}\n`).join(''))
  await command('load', file)
  const service = await start({})
  await start({ PORT: String(limitedPort), RATE_LIMIT_PER_MINUTE: '100', WORKER: 'off' })

  const holders: [weight: number, holder: Holder][] = []
  for (const [index, house] of houses.entries())
    holders.push([[60, 20, 8][index]!, { house, key: (await issue(house, '--all')).key, may: 'everything' }])
  const [house] = houses
  const reads = permissions.filter((each) => each.endsWith('.read')).join(',')
  holders.push([5, { house, key: (await issue(house, '--permissions', reads)).key, may: 'read' }])
  const revoked = await issue(house, '--all')
  await command('keys', 'revoke', revoked.id)
  for (const key of [revoked.key, undefined, 'ack_nonsense']) holders.push([1, { house, key, may: 'nothing' }])
  // The exit code is 1 if there is a violation.
  const doctor = async () => JSON.parse((await runCommand(settings, 'doctor', '--json')).stdout) as unknown[]
  const planted = await doctor()

  return {
    port,
    limitedPort,
    origin,
    folder,
    holders,
    /** Resident memory of the service in MiB. */
    memory: () => residentMemory(service.child),
    /** All violations after the last request. `problems` are the kinds of problems, which have a page each. */
    async examine(problems: Iterable<string>): Promise<string[]> {
      const asked = performance.now()
      const found = await askAgain(origin, holders, problems)
      if (performance.now() - asked > usualMilliseconds) found.push('simple requests have become slow')
      const opened = await openCatalogue(readConfig({ ...settings, LOG_LEVEL: 'warn' }))
      try {
        found.push(...(await findStuck(opened)), ...(await findStray(opened)))
      } finally {
        await opened.close()
      }
      const spooled = (await readdir(temporary)).filter((name) => name.startsWith('catalogue-media-'))
      if (spooled.length > 0) found.push(`${spooled.length} folders of uploads are left`)
      const defects = await doctor()
      if (JSON.stringify(defects) !== JSON.stringify(planted))
        found.push(`doctor finds ${JSON.stringify(defects).slice(0, 500)}`)
      return [...found, ...describeErrors(log)]
    },
  }
}
