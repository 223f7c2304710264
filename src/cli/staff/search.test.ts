import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { urlOf } from '../../../test/support/address.ts'
import { houseLine } from '../../../test/support/lines.ts'
import { runCommand } from '../../../test/support/process.ts'
import { startService } from '../../../test/support/service.ts'

const itemLines = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ type: 'item' as const, title: `Vaas ${at}` }))
const service = await startService({
  records: [houseLine('small'), ...itemLines(2_000), houseLine('large'), ...itemLines(20_000)],
})
after(() => service.close())
const settings = { DATABASE_URL: urlOf(service.connection), DATA_DIR: service.dataDir, SECRET: service.secret }

test('a search that reads a large house shows its progress on standard error, one of a small house does not', async () => {
  for (const [house, shown] of [
    ['small', ''],
    ['large', 'reading large: 20,000 items\nread large: 20,000 items\n'],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(
      settings,
      'items',
      'search',
      'vaas',
      '1999',
      '--house',
      house,
      '--json',
    )
    assert.equal(code, 0, stderr)
    assert.equal((JSON.parse(stdout) as { title: string }[])[0]!.title, 'Vaas 1999')
    assert.equal(stderr, shown)
  }
})
