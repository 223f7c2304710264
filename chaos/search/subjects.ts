import { changeLot } from '../../src/lots/changes.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { addLots } from '../../src/lots/adding.ts'
import { contextNow, type Context, type House } from '../../src/context.ts'
import type { Database } from '../../src/db/pool.ts'
import { load } from '../../src/load/loader.ts'
import type { MediaStore } from '../../src/media/store.ts'
import { houseLine, type catalogueOf } from '../../test/support/lines.ts'
import type { Reply } from '../changes/instances.ts'
import type { Random } from '../lib/random.ts'

/** A house under fire: its records have the same words as those of the others. */
export type Place = ReturnType<typeof catalogueOf> & { house: House; key: string }

/** Sends a write to an instance. Status 0: it was killed. */
export type Send = (method: string, path: string, body: object) => Promise<Reply>

/** What writers need. Commands and loads use the database, other writers send. */
export type Tools = {
  db: Database
  media: MediaStore
  dataDir: string
  random: Random
  send: Send
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
export function wordOf(number: number, turn: number): string {
  let state = (BigInt(number) << 20n) + BigInt(turn) + 1n
  let word = ''
  for (let at = 0; at < 16; at++) {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn
    word += letters[Number((state >> 33n) % 26n)]
  }
  return word
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
async function command<Answer>({ isTroubled }: Tools, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    throw isTroubled ? new Unknown('no answer', { cause: error }) : error
  }
}

const contextOf = ({ db }: Tools, { house }: Place): Context => {
  return contextNow(db, house)
}

/** Loads records of a house, slowly: others search while the load is under way. */
export async function loadLines(
  { db, media, dataDir, random }: Omit<Tools, 'send' | 'isTroubled'>,
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
  const subject = { place, number, turn: 0, shown: word, gone: undefined, active: false, isOver: false }
  if (random.below(3) === 0) {
    const [uuid, maker] = [randomUUID(), randomUUID()]
    const lines = [
      houseLine(place.slug),
      { type: 'maker', id: maker, name: `Jan ${word}` },
      { type: 'item', id: uuid, title: 'Kom', makers: [maker] },
    ]
    await command(tools, () => loadLines(tools, lines))
    return { ...subject, kind: 'items', id: '', item: `itm_${uuid}`, maker }
  }
  const title = `Vaas ${word}`
  const { id: item } = await demand(send('POST', '/api/v2/items', { external_reference: randomUUID(), title }))
  if (random.below(2) === 0) return { ...subject, kind: 'items', id: '', item, maker: undefined }
  const lot = { session: bare(place.ids.session), item: bare(item), lot_number: 1_000 + number, starting_bid: null }
  const [added] = await command(tools, () => addLots(contextOf(tools, place), [{ ...lot, again: false }]))
  return { ...subject, kind: 'lots', id: (JSON.parse(added!) as { id: string }).id, item, maker: undefined }
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
    if (kind === 'lots') await command(tools, () => changeLot(contextOf(tools, place), bare(id), { archived: true }))
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
  await assert.rejects(loadLines(tools, lines))
  return word
}
