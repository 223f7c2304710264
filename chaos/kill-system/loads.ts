import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { houseLine } from '../../test/support/lines.ts'
import { picture } from '../../test/support/pictures.ts'
import { spawnCommand } from '../../test/support/process.ts'
import { random } from '../lib/random.ts'
import type { Upload } from './writers.ts'

/** How many items a file has; every fifth has a photograph. */
export const itemsOfLoad = 25

const mostMilliseconds = 1_500
const attempts = 20

/**
 * Files that are loaded one after the other. Each load is interrupted once, then repeated until the file is stored.
 * `routed`: the URL of the database through a proxy.
 */
export function openLoads(folder: string, settings: Record<string, string>, routed: string) {
  const names: string[] = []
  const images: Upload[] = []
  const counts = { killed: 0, struck: 0, there: 0 }

  async function writeLines(name: string): Promise<string> {
    await writeFile(path.join(folder, 'photograph.jpg'), await picture('#338855', 800, 600))
    const items = Array.from({ length: itemsOfLoad }, (_, index) => {
      const [item, external_reference] = [randomUUID(), `${name} ${index}`]
      const line = { type: 'item', id: item, external_reference, title: 'Kom' }
      if (index % 5 > 0) return [line]
      images.push({ item, reference: external_reference, acknowledged: true })
      return [line, { type: 'image', item, external_reference, file: 'photograph.jpg', public: true }]
    })
    const file = path.join(folder, `${name}.ndjson`)
    const lines = [houseLine('loads'), ...items.flat()]
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return file
  }

  function start(file: string, own: Record<string, string> = {}) {
    const child = spawnCommand({ ...settings, ...own }, ['load', file], ['ignore', 'ignore', 'pipe'])
    let said = ''
    child.stderr!.on('data', (text) => (said += String(text)))
    return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, said })) }
  }

  /** Loads a file. `strike` makes the proxy break its commit. Without it, the command is killed at a random moment. */
  async function interrupt(strike?: () => void): Promise<void> {
    const name = `load-${randomUUID()}`
    const file = await writeLines(name)
    names.push(name)
    strike?.()
    const { child, ended } = start(file, strike && { DATABASE_URL: routed })
    if (strike) {
      counts.struck++
      const { code } = await ended
      assert.notEqual(code, 0, `the load of ${file} did not hear of its commit, and says that all is well`)
    } else if ((await Promise.race([ended, sleep(random.below(mostMilliseconds))])) === undefined) {
      child.kill('SIGKILL')
      counts.killed++
      await ended
    }
    for (let attempt = 1; ; attempt++) {
      const { code, said } = await start(file).ended
      if (code === 0) return
      if (/already|taken|exists/.test(said)) return void counts.there++
      assert.ok(attempt < attempts, `${file} cannot be loaded: ${said}`)
      await sleep(500)
    }
  }

  return { names, images, counts, interrupt }
}

export type Loads = ReturnType<typeof openLoads>
