import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { until } from '../../test/support/pictures.ts'

let folder: string
let file: string

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'decoders-'))
  file = path.join(folder, 'picture.jpg')
  await sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } }).toFile(file)
})
after(() => rm(folder, { recursive: true }))

// Twice, because a decoder that failed to start must not prevent the next one from starting.
const script = `
  import { inspectPicture } from ${JSON.stringify(new URL('./pictures.ts', import.meta.url))}
  process.on('SIGINT', () => undefined)
  for (let attempt = 0; attempt < 2; attempt++)
    console.log(await inspectPicture(process.argv[1], 'house').then(({ width }) => width, (error) => error.message))
`

/** Decodes the picture twice in its own process group. `decoder` waits for its first decoder. */
function startDecoding() {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, file], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = child.pid!
  const children = async () => (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim()
  const decoder = async () => {
    let found = ''
    await until(async () => {
      found = await children()
      const command = await readFile(`/proc/${found}/cmdline`, 'utf8').catch(() => '')
      return command.includes('decoder.ts')
    })
    return Number(found)
  }
  return { pid, decoder, printed: text(child.stdout) }
}

test('Ctrl-C in a terminal does not reach a decoder that is starting', async () => {
  const { pid, decoder, printed } = startDecoding()
  await decoder()
  process.kill(-pid, 'SIGINT')
  assert.equal(await printed, '300\n300\n')
})

test('a picture whose decoder is killed at its start is decoded by another one', async () => {
  const { decoder, printed } = startDecoding()
  process.kill(await decoder(), 'SIGKILL')
  assert.equal(await printed, '300\n300\n')
})
