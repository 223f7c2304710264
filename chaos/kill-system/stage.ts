import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openCatalogue, type Catalogue } from '../../src/running/catalogue.ts'
import { readConfig } from '../../src/settings/config.ts'
import { runCommand } from '../../test/support/process.ts'
import type { openProcesses } from './processes.ts'
import { house, records, type RunningLot } from './sale.ts'

/** The beginning and the end of every program that kills the processes of a sale. Its files are in a folder. */
export function openStage(processes: ReturnType<typeof openProcesses>, folder: string) {
  async function command(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(processes.settings, ...words)
    assert.equal(code, 0, `catalogue ${words.join(' ')}: ${stderr}${stdout}`)
    return stdout
  }

  /** Loads the house with these lots, starts the processes, and returns a key. */
  async function begin(lots: RunningLot[]): Promise<string> {
    const file = path.join(folder, 'house.ndjson')
    await writeFile(file, [...records(lots)].map((line) => `${JSON.stringify(line)}\n`).join(''))
    await command('load', file)
    const { key } = JSON.parse(await command('keys', 'create', '--house', house, '--all', '--json')) as { key: string }
    await processes.start()
    return key
  }

  /** Stops the processes, and then checks their data. */
  async function end(check: (catalogue: Catalogue) => Promise<void>): Promise<void> {
    assert.deepEqual(await processes.stop(), [0, 0, 0], 'the exit codes of the servers and the worker')
    assert.deepEqual(JSON.parse(await command('doctor', '--json')), [])
    const catalogue = await openCatalogue(readConfig(processes.settings))
    try {
      await check(catalogue)
    } finally {
      await catalogue.close()
    }
  }

  /** Runs the program, and removes its folder. After a violation the folder stays, and the process ends with 1. */
  async function run(program: () => Promise<void>): Promise<void> {
    try {
      await program()
      await rm(folder, { recursive: true, force: true })
    } catch (error) {
      process.stderr.write(`violation: ${error instanceof Error ? error.stack : String(error)}\nSee ${folder}\n`)
      await processes.stop()
      process.exit(1)
    }
  }

  return { begin, end, run }
}
