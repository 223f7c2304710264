import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { inTitle, wherever } from './statements.ts'
import type { Plan, Word } from './plan.ts'

type House = Context['house']

// A word has at most so many keys that are ranked each for itself.
const mostSlots = 16

/** All keys by which a record has a word, as the index has them. */
export const keysOf = ({ exact, links, forms, parts, otherLinks }: Word) => [
  ...wherever([...exact, ...forms, ...parts]),
  ...inTitle([...links, ...otherLinks]),
]

/** Whether no record has a word or a phrase of a plan. */
export const cannotMatch = ({ words, phrases, numbered }: Plan, kind: 'lot' | 'item') =>
  words.some((word, at) => keysOf(word).length + word.apart.length === 0 && !(kind === 'lot' && numbered?.at === at)) ||
  phrases.some(({ keys, links }) => keys.length + links.length === 0)

const has = (keys: readonly string[]) => sql`x.keys && ${keys}::bigint[]`

/** Whether the index `x` of a record has a word. */
export function hasWord(word: Word): RawBuilder<unknown> {
  const apart = word.apart.map(
    ({ keys: [one, other], pattern }) =>
      sql`${has(wherever(one))} and ${has(wherever(other))} and strpos(x.words, ${pattern}) > 0`,
  )
  return sql`(${sql.join([has(keysOf(word)), ...apart], sql` or `)})`
}

/** The conditions on the index `x` of a record: every word but one, every phrase, and nothing that is taken away. */
export function isFound({ words, phrases, without }: Plan, except?: number): RawBuilder<unknown>[] {
  const { keys, links, patterns } = without
  return [
    ...words.flatMap((word, at) => (at === except ? [] : [hasWord(word)])),
    ...phrases.flatMap((phrase) => [
      has([...wherever(phrase.keys), ...inTitle(phrase.links)]),
      sql`(x.words ~ ${phrase.pattern} or ${has(inTitle(phrase.links))})`,
    ]),
    ...(keys.length + links.length > 0 ? [sql`not ${has([...wherever(keys), ...inTitle(links)])}`] : []),
    ...(patterns.length > 0 ? [sql`x.words !~ ${patterns.join('|')}`] : []),
  ]
}

type Slot = { key: string; title: number; text: number }

// Links come last: those beyond the slots are looked up together.
const slotsOf = ({ exact, links, forms }: Word): Slot[] => [
  ...exact.map((key) => ({ key, title: 12, text: 8 })),
  ...forms.map((key) => ({ key, title: 6, text: 5 })),
  ...links.map((key) => ({ key, title: 12, text: 12 })),
]

// The keys of a row are sorted: a binary search finds the key in a title, or the same in another text before it.
function weighSlot(slot: Slot | undefined): RawBuilder<unknown> {
  const title = slot ? inTitle([slot.key])[0] : null
  return sql`case x.keys[width_bucket(${title}::bigint, x.keys)] when ${title}::bigint then ${slot?.title ?? null}::int when ${slot?.key ?? null}::bigint then ${slot?.text ?? null}::int end`
}

// Few sizes make few statements: an empty slot costs nothing.
function waysOf(words: readonly Word[]): { slots: RawBuilder<unknown>[][]; size: number } {
  const all = words.map(slotsOf)
  const size = 2 ** Math.ceil(Math.log2(Math.min(mostSlots, Math.max(2, ...all.map(({ length }) => length)))))
  return { slots: all.map((own) => Array.from({ length: size }, (_, place) => weighSlot(own[place]))), size }
}

/**
 * Whether the row `x` of an item has each word of a plan, read from the row itself: for a walk that does not begin with
 * the index of keys. `numbered`: what holds where a lot has the number that a word may be. Undefined if the plan asks for
 * more than a few keys.
 */
export function isFoundInRow(
  { words, phrases, without, numbered }: Plan,
  isNumbered: ((number: string) => RawBuilder<unknown>) | undefined,
): RawBuilder<unknown> | undefined {
  const isPlain = (word: Word) => word.parts.length + word.otherLinks.length === 0 && slotsOf(word).length <= mostSlots
  const taken = [...without.keys, ...without.links, ...without.patterns]
  if (words.length === 0 || phrases.length + taken.length > 0 || !words.every(isPlain)) return undefined
  const { slots } = waysOf(words)
  const hasAny = (ways: RawBuilder<unknown>[]) => sql`coalesce(${sql.join(ways)}) is not null`
  const hasKey = (keys: string[]) => hasAny(keys.map((key) => weighSlot({ key, title: 12, text: 8 })))
  const found = words.map(({ apart }, at) => {
    const two = apart.map(
      ({ keys: [one, other], pattern }) => sql`${hasKey(one)} and ${hasKey(other)} and strpos(x.words, ${pattern}) > 0`,
    )
    const number = isNumbered && numbered?.at === at ? [isNumbered(numbered.number)] : []
    return sql`(${sql.join([hasAny(slots[at]!), ...two, ...number], sql` or `)})`
  })
  return sql.join(found, sql` and `)
}

/**
 * The score of a record: the best way in which its index `x` has each word, words that stand beside each other, and the
 * reference and the number `first`, which come before all.
 */
export function scoreOf(
  { words, reference }: Plan,
  house: House,
  item: RawBuilder<unknown>,
  first: RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const { slots, size } = waysOf(words)
  const among = (keys: readonly string[]) => sql`x.item_id in (
            select s.item_id from catalogue.search_items s where s.house_id = ${house.id} and s.keys && ${keys}::bigint[])`
  const ofWords = words.map((word, at) => {
    const best = slots[at]!
    if (slotsOf(word).length > size) best.push(sql`case when ${among(inTitle(word.links))} then 12 end`)
    return sql`${word.weight}::int * coalesce(greatest(${sql.join(best)}), case when ${among(inTitle(word.parts))} then 3 end, 2)`
  })
  const near = words.slice(1).map(({ text }, at) => {
    const [one, other] = [`|${words[at]!.text}|`, `|${text}|`]
    const place = (key: string) => sql`nullif(strpos(x.words, ${key}), 0)`
    return sql`case when strpos(x.words, ${`${one} ${other}`}) > 0 then 40 when abs(${place(one)} - ${place(other)}) < 60 then 15 else 0 end`
  })
  const referred = sql`case when ${item} = (
          select id from catalogue.items where house_id = ${house.id} and external_reference = ${reference}) then 1000000 else 0 end`
  return sql.join([...ofWords, ...near, referred, ...first], sql` + `)
}
