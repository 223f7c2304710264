import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openHouse, sale, type Line } from './house.ts'

const house = await openHouse()
after(() => house.close())
await house.load([{ type: 'increment_strategy', name: 'Grof', steps: [] }])

const columns = {
  Veiling: 'auction',
  Veilingtitel: 'auction.title',
  Zitting: 'session',
  Zittingtitel: 'session.title',
  Soort: 'session.kind',
  Open: 'session.opens_at',
  Sluit: 'session.closes_at',
  Groep: 'session.group_size',
  Opgeld: 'session.buyer_premium_percentage',
  Stappen: 'session.increment_strategy',
}
type Cells = { [Column in keyof typeof columns]?: string }
const first = {
  Veiling: 'V',
  Veilingtitel: 'Veiling',
  Zitting: 'V/1',
  Zittingtitel: 'Avond',
  Soort: 'timed',
  Open: '12-04-2099 10:00',
  Sluit: '13-04-2099 10:00',
  Groep: '2',
  Opgeld: '24,5',
  Stappen: 'Standaard',
}

/** Writes a sheet of one row, with its mapping. */
async function write(cells: Cells): Promise<string> {
  const names = Object.keys(cells) as (keyof Cells)[]
  const fields = names.map((name) => `  ${name}: ${columns[name]}\n`).join('')
  await house.write(
    'zitting.csv.mapping.yaml',
    `separator: ";"\ndates: d-m-y\ntime_zone: UTC\ncolumns:\n  Nr: external_reference\n  Titel: title\n${fields}`,
  )
  return house.write('zitting.csv', `Nr;Titel;${names.join(';')}\nN-1;Kom;${Object.values(cells).join(';')}\n`)
}

const read = async () => ({
  auctions: (await house.catalogue.auctions.list().page()).data,
  session: (await house.catalogue.sessions.list({ external_reference: 'V/1' }).page()).data[0]!,
})

test('what a sheet changes of a session is changed, or refused with its column; verify is not equal before', async () => {
  await house.end(0, 'apply', await write({ ...first, Veiling: 'W', Zitting: 'W/1' }))
  await house.end(0, 'apply', await write(first))
  const before = await read()
  const empty = (has: string) =>
    `"" is empty, and the session in the catalogue has ${has}: it can be changed, not cleared [required]`
  for (const [change, refusals] of [
    [
      { Soort: 'live', Sluit: '14-04-2099 10:00' },
      ['"Soort" (kind): "live" is timed in the catalogue: a session keeps its kind [differs]'],
    ],
    [
      { Veiling: 'W' },
      ['"Veiling" (auction): "W" is another one in the catalogue: a session stays in its auction [differs]'],
    ],
    [
      { Stappen: 'Grof' },
      ['"Stappen" (increment_strategy): "Grof" is another one in the catalogue: only staff can change it [differs]'],
    ],
    [
      { Zittingtitel: '', Open: '', Sluit: '', Groep: '', Opgeld: '', Stappen: '' },
      [
        `"Zittingtitel" (title): ${empty('"Avond"')}`,
        `"Open" (opens_at): ${empty('"2099-04-12T10:00:00.000Z"')}`,
        `"Sluit" (timed.first_closes_at): ${empty('"2099-04-13T10:00:00.000Z"')}`,
      ],
    ],
  ] as const) {
    const path = await write({ ...first, ...change })
    for (const mode of ['plan', 'apply', 'verify']) {
      const lines = (await house.end(1, mode, path)).split('\n').filter((line) => line.startsWith('zitting.csv:'))
      assert.deepEqual(
        lines,
        refusals.map((each) => `zitting.csv:2: column ${each}`),
        mode,
      )
    }
  }
  const untitled = await house.end(1, 'verify', await write({ ...first, Veilingtitel: '' }))
  assert.match(untitled, /^zitting\.csv:2: column "Veilingtitel" \(title\): "" is empty, .*"Veiling"/m)
  // An empty premium, strategy or group size leaves the session what it has.
  await house.end(0, 'verify', await write({ ...first, Groep: '', Opgeld: '', Stappen: '' }))
  assert.deepEqual(await read(), before)

  // In a verification, the other differences are named too.
  const both = await house.end(1, 'verify', await write({ ...first, Soort: 'live', Opgeld: '25' }))
  assert.match(both, /"Opgeld" \(settings\.buyer_premium_percentage\): "25" differs from the catalogue/)
})

test('a column that is not mapped changes nothing, also that of the kind of a live session', async () => {
  await house.end(0, 'apply', await house.write('live.ndjson', [house.house, ...sale]))
  for (const cells of [
    { Veiling: 'V', Zitting: 'V/1' },
    { Veiling: '2099-1', Zitting: '2099-1/1' },
  ])
    for (const mode of ['plan', 'apply', 'verify']) await house.end(0, mode, await write(cells))
  const live = { Veiling: '2099-1', Zitting: '2099-1/1' }
  for (const cells of [
    { ...live, Soort: 'timed' },
    { ...live, Sluit: '13-04-2099 10:00' },
  ])
    assert.match(await house.end(1, 'verify', await write(cells)), /\(kind\): ".*" is live in the catalogue/)
})

test('a line of the load format follows the same rule', async () => {
  const [auction, session] = sale as [Line, Line]
  const { titles: _, opens_at: __, live: ___, ...bare } = session
  const file = (fields: object) => house.write('regel.ndjson', [house.house, auction, { ...bare, ...fields }])
  for (const mode of ['apply', 'verify']) await house.end(0, mode, await file({ timed: null, settings: {} }))
  for (const [fields, name] of [
    [{ kind: 'timed' }, 'kind'],
    [{ titles: null }, 'title'],
    [{ opens_at: null }, 'opens_at'],
    [{ live: { closes_at: null } }, 'live.closes_at'],
  ] as const)
    for (const mode of ['apply', 'verify'])
      assert.match(await house.end(1, mode, await file(fields)), new RegExp(`^regel\\.ndjson:3: ${name}: is `, 'm'))
})
