import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkout, createDataDir, findPort } from '../../test/support/process.ts'
import { spread } from '../lib/report.ts'

// Measures the first start: `npm start` in a new folder, without compiled code, until its first line, until the
// address is printed, and until all photographs of the demo house are there. Then the stop by Ctrl-C.
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const pollMilliseconds = 200

type Items = { data: { images: { url: string | null }[] }[]; next_cursor: string | null }

async function countMissing(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  let missing = 0
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = `limit=100&expand[]=images${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const page = (await (await fetch(`${url}/items?${query}`, { headers })).json()) as Items
    missing += page.data.flatMap(({ images }) => images).filter((image) => image.url === null).length
    cursor = page.next_cursor
  }
  return missing
}

async function measureStart() {
  const folder = await createDataDir()
  const cache = `${folder.dataDir}-compiled`
  const settings = { DATA_DIR: folder.dataDir, NODE_COMPILE_CACHE: cache, PORT: String(await findPort()) }
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  const npm = spawn('npm', ['start', '--silent'], { cwd: checkout, env, detached: true })
  let said = ''
  let firstLine: number | undefined
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (text) => {
      said += String(text)
      if (said.includes('\n')) firstLine ??= seconds()
    })
  let key: string | undefined
  while (key === undefined) {
    await sleep(10)
    key = /#key=(ack_\S+)/.exec(said)?.[1]
    if (npm.exitCode !== null) throw new Error(`the service did not start: ${said}`)
  }
  const address = seconds()
  while ((await countMissing(`http://127.0.0.1:${settings.PORT}/api/v2`, key)) > 0) await sleep(pollMilliseconds)
  const photographs = seconds()
  const ended = once(npm, 'exit')
  process.kill(-npm.pid!, 'SIGINT')
  await ended
  const stop = seconds() - photographs
  await folder.remove()
  return { firstLine: firstLine!, address, photographs, stop }
}

const starts: Awaited<ReturnType<typeof measureStart>>[] = []
for (let round = 0; round < rounds; round++) starts.push(await measureStart())
const print = (name: keyof (typeof starts)[number]) =>
  spread(
    starts.map((start) => start[name]),
    1,
  )
console.log(`\n## First start with the demo house, ${rounds} rounds\n`)
console.log(
  `First line: ${print('firstLine')} s. Address: ${print('address')} s. All photographs: ${print('photographs')} s.`,
)
console.log(`Stop: ${print('stop')} s.`)
