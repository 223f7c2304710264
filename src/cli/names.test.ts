import { changeLot } from '../lots/changes.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { openSaleHouse, refusal } from '../../test/support/sale-house.ts'

import { findRecord, requireHouse, type NamedKind } from './names.ts'

const office = await openSaleHouse()
after(() => office.close())

const [auction, session, other, legacy] = [1, 2, 3, 4].map(uuid) as [string, string, string, string]
await office.load([
  houseLine('house'),
  { type: 'auction', id: auction, external_reference: 'Voorjaar', title: 'Voorjaarsveiling' },
  { type: 'session', id: session, auction, external_reference: '2026-1/1', titles: { nl: 'Avond' }, kind: 'live' },
  // Its reference is the id of another one.
  { type: 'session', id: other, auction, external_reference: session, titles: {}, kind: 'live' },
  { type: 'auction', id: null, external_reference: 'nameless', title: 'Zonder id' },
  { type: 'lot', id: uuid(11), session, item: office.ids.item, lot_number: 12 },
  { type: 'lot', id: uuid(12), session, item: office.ids.item, lot_number: 13 },
  { type: 'lot', id: null, session, item: office.ids.item, lot_number: 14 },
])

const find = async (kind: NamedKind, name: string, house?: string) => {
  const { uuid, description, house: found } = await findRecord(office.db, kind, name, house)
  assert.equal(found.slug, 'house')
  return [uuid, description]
}
const refuse = (kind: NamedKind, name: string, house?: string) => refusal(findRecord(office.db, kind, name, house))

test('a record is found by its id or its external reference, and described by both and its title', async () => {
  const found = [auction, `auction auc_${auction} "Voorjaarsveiling" (Voorjaar)`]
  for (const name of ['Voorjaar', auction, `auc_${auction}`]) {
    assert.deepEqual(await find('auction', name), found)
    assert.deepEqual(await find('auction', name, 'house'), found)
  }
  const item = [office.ids.item, `item itm_${office.ids.item} "Vaas" (I-1)`]
  assert.deepEqual(await find('item', 'I-1'), item)
  assert.equal((await find('item', 'I-2'))[0], office.ids.archivedItem)
})

test('a lot is found by its session and number, even if the reference of the session has slashes', async () => {
  const found = [uuid(11), `lot 12 lot_${uuid(11)} "Vaas" of session 2026-1/1`]
  for (const name of ['2026-1/1/12', `ses_${session}/12`, `lot_${uuid(11)}`])
    assert.deepEqual(await find('lot', name), found)
  assert.match(await refuse('lot', '2026-1/1/14'), /^the lot "2026-1\/1\/14" has no id, and cannot be used/)
  assert.match(await refuse('lot', '2026-1/1/99999999999'), /is not the id of a lot: .*, or like SESSION\/NUMBER$/)
  const missing = 'there is no lot 2026-1/1/9: its session has lots with numbers from 12 to 14'
  assert.equal(await refuse('lot', '2026-1/1/9'), missing)
  assert.match(await refuse('lot', `${other}/1`), /: its session has no lots$/)
  assert.match(await refuse('lot', '2026-9/1'), /^there is no session "2026-9" in the house house/)
})

test('the number of an archived lot does not name it, but its id does', async () => {
  await changeLot(office.at('08:00:00'), uuid(12), { archived: true })
  assert.match(await refuse('lot', '2026-1/1/13'), /^there is no lot 2026-1\/1\/13: /)
  assert.equal((await find('lot', `lot_${uuid(12)}`))[0], uuid(12))
})

test('a name of several records, or of one without an id, is refused', async () => {
  const message = await refuse('session', session)
  assert.equal(
    message,
    `"${session}" may be session ses_${session} "Avond" (2026-1/1) and session ses_${other} "" (${session}): use the id of one of them`,
  )
  assert.equal((await find('session', `ses_${session}`))[0], session)
  assert.equal((await find('session', `ses_${other}`))[0], other)
  const nameless = 'the auction "nameless" has no id, and cannot be used (see: bin/catalogue doctor)'
  assert.equal(await refuse('auction', 'nameless'), nameless)
})

test('a refusal says what a valid name is', async () => {
  const looks = (kind: string, prefix: string) => `is not the id of ${kind}: it looks like ${prefix}_290583ad-…`
  assert.equal(await refuse('auction', 'auc_x'), `"auc_x" ${looks('an auction', 'auc')}`)
  assert.equal(await refuse('item', `lot_${uuid(11)}`), `"lot_${uuid(11)}" ${looks('an item', 'itm')}`)
  assert.equal(await refuse('lot', 'vaas'), `"vaas" ${looks('a lot', 'lot')}, or like SESSION/NUMBER`)
  assert.equal(await refuse('auction', legacy), `there is no auction auc_${legacy} in the house house`)
  const list = '(see: bin/catalogue auctions list --house house)'
  assert.equal(await refuse('auction', 'Najaar'), `there is no auction "Najaar" in the house house ${list}`)
  const close = 'there is no auction " voorjaar" in the house house, but there is "Voorjaar"'
  assert.equal(await refuse('auction', ' voorjaar'), close)
  assert.equal(await refuse('auction', 'Voorjaar', 'west'), 'there is no house "west" (see: bin/catalogue houses list)')
})

test('with several houses a reference needs its house, an id does not', async () => {
  await office.load([
    houseLine('elsewhere'),
    { type: 'auction', id: uuid(21), external_reference: 'Voorjaar', title: 'Elders' },
    { type: 'auction', id: uuid(22), external_reference: 'Elders', title: 'Elders' },
  ])
  const hint = 'it looks like auc_290583ad-…; a reference needs --house'
  // Even if only one house has it.
  assert.equal(await refuse('auction', 'Elders'), `"Elders" is not the id of an auction: ${hint}`)
  assert.match(await refuse('lot', '2026-1/1/12'), /SESSION\/NUMBER needs --house$/)
  assert.equal((await find('auction', 'Voorjaar', 'house'))[0], auction)
  assert.equal((await find('auction', auction))[0], auction)
  assert.equal(
    await refuse('auction', auction, 'elsewhere'),
    `there is no auction auc_${auction} in the house elsewhere`,
  )
})

test('a house is named by its slug, or else by its name', async () => {
  await office.load([{ ...houseLine('named-first'), name: 'Veilinghuis Noord' }])
  await office.load([{ ...houseLine('Veilinghuis-Noord'.toLowerCase()), name: 'Twee keer' }])
  await office.load([{ ...houseLine('named-third'), name: 'Twee keer' }])
  assert.equal((await requireHouse(office.db, 'Veilinghuis Noord')).slug, 'named-first')
  assert.equal((await requireHouse(office.db, 'veilinghuis-noord')).name, 'Twee keer')
  await assert.rejects(
    requireHouse(office.db, 'Twee keer'),
    /several houses are called "Twee keer": name one by its slug/,
  )
})
