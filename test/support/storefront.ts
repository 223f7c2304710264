import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Catalogue, type SessionId } from '@auction-catalogue/client'
import { checkout, copyDemo, findPort, runCommand, startProcess } from './process.ts'

/** The document of the example, whose command starts it. */
export const guide = await readFile(path.join(checkout, 'docs/storefront.md'), 'utf8')
const [, command] = /^CATALOGUE_KEY=ack_… (.+server\.ts) http\S+ 8080$/m.exec(guide)!

/** Starts the service with the demo house, and a storefront of it. */
export async function openStorefront() {
  const folder = await copyDemo()
  const settings = { DATA_DIR: folder.dataDir, PORT: String(await findPort()), RATE_LIMIT_PER_MINUTE: '0' }
  let service = await startProcess(settings, '--demo', '--json')
  const { url, key } = JSON.parse(service.printed) as { url: string; key: string }
  async function run(...words: string[]) {
    const { code, stdout, stderr } = await runCommand(settings, ...words)
    assert.equal(code, 0, stderr)
    return stdout
  }
  const permissions = ['--house', 'terbraeck', '--permissions', 'auctions.read,lots.read,categories.read', '--json']
  const shop = JSON.parse(await run('keys', 'create', ...permissions)) as { key: string }
  // On a machine whose own Node reads no TypeScript.
  await writeFile(path.join(folder.dataDir, 'node'), '#!/bin/sh\nexit 9\n', { mode: 0o755 })

  /** Starts a storefront of the service at an address. */
  async function start(url: string) {
    const child = spawn('/bin/sh', ['-c', `exec ${command} ${url} 0`], {
      cwd: checkout,
      env: { PATH: `${folder.dataDir}:${process.env['PATH']}`, CATALOGUE_KEY: shop.key, TZ: 'Asia/Tokyo' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let log = ''
    child.stderr.on('data', (piece) => (log += String(piece)))
    let printed = ''
    for await (const piece of child.stdout.iterator({ destroyOnReturn: false }))
      if ((printed += String(piece)).endsWith('\n')) break
    assert.equal(child.exitCode, null, 'the storefront has ended')
    return { child, origin: printed.trim(), logged: () => log }
  }

  const { child, origin } = await start(url)

  /** Requests a page. On a busy machine one may take longer than the storefront waits, which then answers 503. */
  async function get(page: string, headers: Record<string, string> = {}) {
    for (;;) {
      const reply = await fetch(origin + page, { headers })
      const text = await reply.text()
      if (reply.status !== 503) return { status: reply.status, headers: reply.headers, text }
      await sleep(100)
    }
  }

  /** Requests a page until it is as expected. */
  async function until(page: string, isRight: (reply: Awaited<ReturnType<typeof get>>) => boolean) {
    for (;;) {
      const reply = await get(page)
      if (isRight(reply)) return reply
      await sleep(100)
    }
  }

  // While the service reads the words of the house, a search finds a part of them.
  await until('/search', ({ text }) => !text.includes('geïndexeerd'))

  return {
    folder,
    url,
    shop,
    origin,
    child,
    catalogue: new Catalogue({ url, key }),
    run,
    start,
    get,
    until,
    /** The sales on the home page, in its order: the first one runs. */
    listSales: async () => [...new Set((await get('/')).text.match(/ses_[\w-]+/g))] as SessionId[],
    stopService: () => service.stop(),
    startService: async () => {
      service = await startProcess(settings)
    },
    close: async () => {
      if (child.exitCode === null) child.kill('SIGKILL')
      await service.stop()
      await folder.remove()
    },
  }
}

/** The lots that a page leads to. */
export const lotsOn = (text: string) => [
  ...new Set([...text.matchAll(/href="(\/lots\/lot_[^"]+)"/g)].map(([, address]) => address!)),
]
