import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { picture } from '../../test/support/pictures.ts'
import { houseLine } from '../../test/support/lines.ts'
import { spawnCommand } from '../../test/support/process.ts'
import type { Upload } from './writers.ts'

/** How many items a file has; every fifth has a photograph. */
export const itemsOfLoad = 25

const mostMilliseconds = 1_500
const attempts = 20

/** Files that are loaded one after the other. Each load is interrupted once, then repeated until the file is stored. */
export function openLoads(folder: string, settings: Record<string, string>, routed: Record<string, string>) {
  const names: string[] = []
  const images: Upload[] = []
  const counts = { killed: 0, struck: 0, there: 0 }

  async function writeLines(name: string): Promise<string> {
    await writeFile(path.join(folder, 'photograph.jpg'), await picture('#338855', 800, 600))
    const items = Array.from({ length: itemsOfLoad }, (_, index) => {
      const reference = `${name} ${index}`
      const item = { type: 'item', id: randomUUID(), external_reference: reference, title: 'Kom' }
      if (index % 5 > 0) return [item]
      images.push({ item: item.id, reference, acknowledged: true })
      return [
        item,
        { type: 'image', item: item.id, external_reference: reference, file: 'photograph.jpg', public: true },
      ]
    })
    const file = path.join(folder, `${name}.ndjson`)
    const lines = [houseLine('loads'), ...items.flat()]
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return file
  }

  function start(file: string, own: Record<string, string>) {
    const child = spawnCommand({ ...settings, ...own }, ['load', file], ['ignore', 'ignore', 'pipe'])
    let said = ''
    child.stderr!.on('data', (text) => (said += String(text)))
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }))
    return { child, ended }
  }

  /** Loads a file. `strike` makes the proxy break its commit. Without it, the command is killed at a random moment. */
  async function interrupt(strike?: () => void): Promise<void> {
    const name = `load-${randomUUID()}`
    const file = await writeLines(name)
    names.push(name)
    strike?.()
    const { child, ended } = start(file, strike ? routed : {})
    if (strike) counts.struck++
    else if ((await Promise.race([ended, sleep(Math.random() * mostMilliseconds)])) === undefined) {
      child.kill('SIGKILL')
      counts.killed++
    }
    const { code } = await ended
    if (strike) assert.notEqual(code, 0, `the load of ${file} did not hear of its commit, and says that all is well`)
    for (let attempt = 1; ; attempt++) {
      const { code, said } = await start(file, {}).ended
      if (code === 0) return
      if (/already|taken|exists/.test(said)) {
        counts.there++
        return
      }
      assert.ok(attempt < attempts, `${file} cannot be loaded: ${said}`)
      await sleep(500)
    }
  }

  return { names, images, counts, interrupt }
}

export type Loads = ReturnType<typeof openLoads>
