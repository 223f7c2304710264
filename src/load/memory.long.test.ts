import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createInstallation } from '../../test/support/installation.ts'
import { runProcess } from '../../test/support/process.ts'

const installation = await createInstallation()
const folder = await mkdtemp(path.join(tmpdir(), 'memory '))
after(async () => {
  await installation.remove()
  await rm(folder, { recursive: true })
})

const mebibyte = 1024 * 1024
const most = 16 * mebibyte - 1000
const fill = (piece: string, bytes = most) => piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))

/** The peak of the memory of a load of a house and this line, in bytes. */
async function measure(line: string): Promise<number> {
  const [file, peak] = ['line.ndjson', 'peak'].map((name) => path.join(folder, name)) as [string, string]
  const house = '{"type":"house","slug":"memory","name":"M","default_locale":"nl","currency":"EUR"}\n'
  await writeFile(file, house + line)
  const atExit = `process.on('exit', () => writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)))`
  const script = `import { writeFileSync } from 'node:fs'\n${atExit}`
  const hook = `data:text/javascript,${encodeURIComponent(script)}`
  await runProcess({ ...installation.settings, NODE_OPTIONS: `--import=${hook}` }, 'load', file)
  return Number(await readFile(peak, 'utf8')) * 1024
}

test('no line of a file costs more than 64 MB of memory, whatever it holds', async () => {
  const lines = {
    'many strings': `{"type":"item","categories":[${fill('"a",')}"a"]}`,
    'many numbers': `{"type":"item","categories":[${fill('1,')}1]}`,
    'many objects': `{"type":"increment_strategy","steps":[${fill('{},')}{}]}`,
    'unknown keys': `{"type":"item",${Array.from({ length: 1_200_000 }, (_, n) => `"${n}":1`).join()}}`,
    'brackets that stay open': fill('['),
    'brackets inside': `{"type":"item","title":${fill('[', most / 2)}${fill(']', most / 2)}}`,
    'one text': `{"type":"item","title":"中${fill('a')}"}`,
    'many texts': `{"type":"item","translations":[${fill(`{"locale":"nl","title":"中${'a'.repeat(mebibyte)}"},`)}{}]}`,
    escapes: `{"type":"item","title":"${fill(String.raw`\u4e2d`)}"}`,
    'long keys': `{"type":"item",${fill(`"${'k'.repeat(mebibyte)}":1,`)}"a":1}`,
    'one number': `{"type":"seller","seller_number":${fill('9')}}`,
    blanks: `{"type":"item",${fill(' ')}"title":"a"}`,
    'the longest notes': `{"type":"consignment","private_notes":"${fill(String.raw`\u00e9`, 3 * mebibyte)}"}`,
  }
  const empty = await measure('')
  for (const [name, line] of Object.entries(lines)) {
    const cost = (await measure(line)) - empty
    assert.ok(cost < 64_000_000, `${name}: ${Math.round(cost / 1e6)} MB`)
  }
})
