import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/support/pictures.ts'
import { checkout, createDataDir, environmentOf, findPort, serveDemo } from '../../test/support/process.ts'
import { findProcessesIn, watchProcesses } from './processes.ts'

// The first line of each phase of a start, and the longest time for which the phase runs or is examined.
const phases = [
  ['', 300],
  ['starting the database', 1_200],
  ['bringing the schema up to date', 500],
  ['preparing the demo house', 500],
  ['is served at', 2_500],
] as const

// Under npm a terminal's signal arrives twice: npm passes its own on.
const ways = [
  ['bin/catalogue serve --demo', 'process', 'SIGINT'],
  ['bin/catalogue serve --demo', 'group', 'SIGTERM'],
  ['npm start', 'group', 'SIGINT'],
  ['bin/catalogue serve --demo', 'group', 'SIGINT'],
  ['npm start', 'process', 'SIGTERM'],
  ['bin/catalogue serve --demo', 'process', 'SIGTERM'],
  ['npm start', 'group', 'SIGTERM'],
] as const

/** One stop: its phase, its kind, and how many milliseconds it took. */
export type Stop = { phase: string; delay: number; way: string; milliseconds: number }

async function stopStart(number: number, share: number): Promise<Stop> {
  const [phase, longest] = phases[number % phases.length]!
  const way = ways[number % ways.length]!
  const [command, target, signal] = way
  const { dataDir, remove } = await createDataDir()
  const settings = { DATA_DIR: dataDir, PORT: String(await findPort()) }
  const [program, ...words] = command.split(' ')
  const env = environmentOf(settings)
  const child = spawn(program!, words, { cwd: checkout, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const processes = watchProcesses(child.pid!)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)))
  await until(async () => {
    assert.equal(child.exitCode, null, said)
    return said.includes(phase)
  })
  const delay = Math.round(longest * share)
  await sleep(delay)
  const hasBegun = said.includes(phases[1][0])
  const began = performance.now()
  process.kill(target === 'group' ? -child.pid! : child.pid!, signal)
  const [code] = (await ended) as [number | null]
  const stop = { phase, delay, way: way.join(' '), milliseconds: Math.round(performance.now() - began) }
  await processes.end()
  const described = `${JSON.stringify(stop)} ${said}`
  // Before the first line the program may not have started to listen for signals.
  if (hasBegun) assert.equal(code, 0, described)
  await until(async () => [...(await processes.findLeft()), ...(await findProcessesIn(dataDir))].length === 0)

  const next = await serveDemo(dataDir, settings)
  assert.equal((await next.read('/lots?limit=1')).status, 200, described)
  assert.equal(await next.stop(), 0, described)
  assert.deepEqual(await findProcessesIn(dataDir), [], described)
  await remove()
  return stop
}

/**
 * Stops first starts with the demo house, at so many moments of all phases, by signals to the process and to its group.
 * Each must end with 0 and leave no process, and the next start must serve the demo house.
 */
export async function stopStarts({ moments }: { moments: number }): Promise<Stop[]> {
  const stops: Stop[] = []
  const each = Math.ceil(moments / phases.length)
  for (let number = 0; number < moments; number++)
    stops.push(await stopStart(number, Math.floor(number / phases.length) / each))
  return stops
}
