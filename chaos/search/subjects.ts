import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { contextNow, type Context, type House } from '../../src/context.ts'
import type { Database } from '../../src/db/pool.ts'
import { load } from '../../src/load/loader.ts'
import { addLots } from '../../src/lots/adding.ts'
import { changeLot } from '../../src/lots/changes.ts'
import type { MediaStore } from '../../src/media/store.ts'
import { houseLine, type catalogueOf } from '../../test/support/lines.ts'
import type { Reply } from '../changes/instances.ts'
import type { Random } from '../lib/random.ts'

/** A house under fire: its records have the same words as those of the others. */
export type Place = ReturnType<typeof catalogueOf> & { house: House; key: string }

/** What writers need. Commands and loads use the database, other writers `send` to an instance. */
export type Tools = {
  db: Database
  media: MediaStore
  dataDir: string
  random: Random
  send: (method: string, path: string, body: object) => Promise<Reply>
  isTroubled: boolean
}

/**
 * A record that one writer changes. `turn` rises when a write begins. Until the write is acknowledged, `shown` is
 * undefined and nothing is known; then `shown` is the word that finds the record, and `gone` one that no longer does.
 */
export type Subject = {
  place: Place
  kind: 'items' | 'lots'
  /** The ids of the lot, if it has one, and of the item. */
  id: string
  item: string
  /** The UUID of the maker whose name has the word. */
  maker: string | undefined
  number: number
  turn: number
  shown: string | undefined
  gone: string | undefined
  /** Whether the lot is active. */
  active: boolean
  /** Nothing more is done with it: it was archived, or it is not known how it was changed. */
  isOver: boolean
}

/** A write without an answer. */
export class Unknown extends Error {}

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** A word of 16 letters, the same in all houses. Two of them differ in many letters, so none is corrected to another. */
function wordOf(number: number, turn: number): string {
  const digest = createHash('sha256').update(`${number} ${turn}`).digest()
  return Array.from(digest.subarray(0, 16), (byte) => letters[byte % letters.length]).join('')
}

const bare = (id: string) => id.slice(-36)

/** Returns the record of an answer. Throws `Unknown` without one. */
async function demand(reply: Promise<Reply>): Promise<{ id: string }> {
  const { status, text } = await reply
  if (status === 0 || status === 503 || text.includes('/problems/unknown-outcome'))
    throw new Unknown(`${status} ${text}`)
  assert.ok(status < 300, `${status} ${text}`)
  return (JSON.parse(text) as { data: { id: string } }).data
}

/** The answer of a command or a load, which troubles may cut off. */
async function command<Answer>(
  { db, isTroubled }: Tools,
  { house }: Place,
  work: (context: Context) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work(contextNow(db, house))
  } catch (error) {
    throw isTroubled ? new Unknown('no answer', { cause: error }) : error
  }
}

/** Loads records of a house, slowly: others search while the load is under way. */
export async function loadSlowly(
  { db, media, dataDir, random }: Pick<Tools, 'db' | 'media' | 'dataDir' | 'random'>,
  lines: object[],
): Promise<void> {
  async function* printSlowly() {
    for (const line of lines) {
      yield Buffer.from(`${JSON.stringify(line)}\n`)
      if (random.below(3) === 0) await sleep(random.below(50))
    }
  }
  const source = { name: 'fire', stream: Readable.from(printSlowly()), directory: dataDir }
  await load({ db, media, now: new Date() }, source)
}

/** Stores a new record: by a load, through the interface, or with a command. */
export async function makeSubject(tools: Tools, place: Place, number: number): Promise<Subject> {
  const { random, send } = tools
  const word = wordOf(number, 0)
  const known = { place, number, turn: 0, shown: word, gone: undefined, active: false, isOver: false }
  const subject = { ...known, kind: 'items', id: '', maker: undefined } as const
  if (random.below(3) === 0) {
    const [uuid, maker] = [randomUUID(), randomUUID()]
    const lines = [
      houseLine(place.slug),
      { type: 'maker', id: maker, name: `Jan ${word}` },
      { type: 'item', id: uuid, title: 'Kom', makers: [maker] },
    ]
    await command(tools, place, () => loadSlowly(tools, lines))
    return { ...subject, item: `itm_${uuid}`, maker }
  }
  const title = `Vaas ${word}`
  const { id: item } = await demand(send('POST', '/api/v2/items', { external_reference: randomUUID(), title }))
  if (random.below(2) === 0) return { ...subject, item }
  const lot = { session: bare(place.ids.session), item: bare(item), lot_number: 1_000 + number, starting_bid: null }
  const [added] = await command(tools, place, (context) => addLots(context, [{ ...lot, again: false }]))
  return { ...subject, kind: 'lots', id: (JSON.parse(added!) as { id: string }).id, item }
}

/**
 * Changes a record through the interface, as staff, or with a command.
 * @throws Unknown
 */
export async function changeSubject(tools: Tools, subject: Subject): Promise<void> {
  const { random, send } = tools
  const { place, item, id, kind, maker, shown } = subject
  Object.assign(subject, { turn: subject.turn + 1, shown: undefined, gone: undefined })
  if (shown !== undefined && random.below(12) === 0) {
    subject.isOver = true
    if (kind === 'lots') await command(tools, place, (context) => changeLot(context, bare(id), { archived: true }))
    else await demand(send('PATCH', `/staff/v1/items/${item}`, { archived: true }))
    subject.gone = shown
  } else if (shown !== undefined && kind === 'lots' && random.below(3) === 0) {
    subject.isOver = true
    const active = !subject.active
    await demand(send('PATCH', `/api/v2/lots/${id}`, { active }))
    Object.assign(subject, { active, shown, isOver: false })
  } else {
    const word = wordOf(subject.number, subject.turn)
    const empty = { title: 'Kom', description: null, translations: { en: { title: null } } }
    const texts = [
      { ...empty, title: `Kom ${word}` },
      { ...empty, description: `Met een ${word}, gemerkt` },
      { ...empty, translations: { en: { title: `Bowl ${word}` } } },
    ]
    if (maker === undefined) await demand(send('PATCH', `/api/v2/items/${item}`, random.pick(texts)))
    else await demand(send('PATCH', `/staff/v1/makers/mkr_${maker}`, { name: `Jan ${word}` }))
    Object.assign(subject, { shown: word, gone: shown })
  }
}

/** Loads an item, and rolls it back for the last line of the file. Returns its word. */
export async function failLoad(tools: Tools, { slug }: Place): Promise<string> {
  const word = wordOf(1_000_000 + tools.random.below(1_000_000), 0)
  const lines = [houseLine(slug), { type: 'item', title: word }, { type: 'item', title: word, makers: [randomUUID()] }]
  await assert.rejects(loadSlowly(tools, lines))
  return word
}
