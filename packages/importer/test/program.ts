import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { main } from '../src/command.ts'

const program = join(import.meta.dirname, '../src/main.ts')
/** The importer as it is packed: it starts as for its users, and needs to be built before. */
export const builtProgram = join(import.meta.dirname, '../bin/catalogue-import.js')
const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/node')

/** A house as the service tells it, for sources that are read without a service. */
export const toldHouse = { name: 'Noord', locale: 'nl', currency: 'EUR', time_zone: 'Europe/Amsterdam' } as const

/** The outcome of a run of the importer: its exit code, what it printed, and its complaints. */
export type Outcome = { code: number | null; stdout: string; stderr: string }

// A run that takes longer than ten seconds, or waits two for an answer, as on a busy machine, says so.
const withoutProgress = (stderr: string) =>
  stderr.replaceAll(/^(?:\d+ of \d+(,.*)?|waiting for .*no answer yet.*)\n/gm, '')

/** Runs the importer to its end inside this process. */
export async function runImporter(key: string, words: string[]): Promise<Outcome> {
  let [stdout, stderr] = ['', '']
  const code = await main(words, {
    env: { CATALOGUE_KEY: key },
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  })
  return { code, stdout, stderr: withoutProgress(stderr) }
}

/** Starts the importer in its own process: from its sources, unless `started` names a program. */
export function startImporter(
  key: string,
  words: string[],
  started = program,
): ChildProcess & { outcome: Promise<Outcome> } {
  // Node reuses what it compiled at the last start, as for bin/catalogue.
  const env = { PATH: process.env.PATH, CATALOGUE_KEY: key, NODE_COMPILE_CACHE: compileCache }
  const child = spawn(process.execPath, [started, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => (stdout += text))
  child.stderr.on('data', (text) => (stderr += text))
  const outcome = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout,
    stderr: withoutProgress(stderr),
  }))
  return Object.assign(child, { outcome })
}
