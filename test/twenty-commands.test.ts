import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { after, test } from 'node:test'
import { main } from '../src/cli/command-line.ts'
import { readHouse } from '../src/demo/house.ts'
import { createInstallation } from './support/installation.ts'
import { checkout, environmentOf } from './support/process.ts'

// Runs docs/twenty-commands.md on the demo house, as a terminal of 100 columns shows it.
const { settings, load, remove } = await createInstallation()
after(remove)
// Without the pictures, which no command of the page looks at.
await load((await readHouse(new Date())).map((record) => ({ ...record, file: undefined })))

/** What a terminal shows of a command. */
async function show(words: string[]): Promise<string> {
  let shown = ''
  const open = () =>
    new Writable({
      write(chunk, _encoding, done) {
        shown += String(chunk)
        done()
      },
    })
  const [stdout, stderr] = [Object.assign(open(), { isTTY: true as const, columns: 100 }), open()]
  await main(words, { stdin: Readable.from([]), stdout, stderr, env: environmentOf(settings) })
  return shown
}

const parse = (command: string) =>
  Array.from(command.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word).slice(1)

// The ids and times of this load differ from those of the page, and with them the widths of columns: of a row of a table
// only the first cell is compared.
const normalize = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => (/\S {2,}\S/.test(line) ? line.split(/ {2,}/, 1)[0]! : line))
    .map((line) =>
      line
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
        .replaceAll(/\w{3} \d{1,2} \w{3} \d{4} \d\d:\d\d(:\d\d)? CES?T/g, 'TIME'),
    )

test('every command of docs/twenty-commands.md prints on the demo house what the page shows', async () => {
  const page = await readFile(path.join(checkout, 'docs/twenty-commands.md'), 'utf8')
  const blocks = [...page.matchAll(/^```console\n([^]*?)^```$/gm)].map(([, block]) => block!)
  const shown = blocks.flatMap((block) => block.split(/^\$ /m).slice(1))
  assert.equal(shown.length, 20)
  for (const each of shown) {
    const end = each.indexOf('\n')
    const command = each.slice(0, end)
    assert.deepEqual(normalize(await show(parse(command))), normalize(each.slice(end)), command)
  }
})
