import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql, type RawBuilder } from 'kysely'
import type { Static } from 'typebox'
import type { Context, Permission } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import { readOne } from '../db/reads.ts'
import { inTransaction } from '../db/transaction.ts'
import { fieldError, fieldsOf, parseBody, type Fields } from '../request/validation.ts'
import { Problem, validationFailed, type FieldError } from '../problems.ts'
import type { Locale } from '../values/locales.ts'
import { changeBounds, checkEstimate, checkOrder, type Bounds } from './estimate.ts'
import type { ItemExpansion } from './document.ts'
import { selectItem } from './queries.ts'
import { changeRelations, findRelations, noRelations, type Relations } from './relations.ts'
import { checkLengths } from './lengths.ts'
import { ItemCreate, ItemUpdate } from './schema.ts'
import { changeTexts, checkTexts, noTexts, textNames, type ItemTexts, type Texts } from './texts.ts'
import { touchItem } from './touch.ts'

/** A body of either write, checked. */
export type ItemBody = Static<typeof ItemCreate> | Static<typeof ItemUpdate>

/** The state of an item that writes change. */
type ItemState = { external_reference: string | null; texts: ItemTexts; bounds: Bounds; relations: Relations }

/**
 * Checks the body of `POST /items` (section 4.4).
 * @throws Problem validation-failed
 */
export function parseItemCreate({ house }: Context, body: unknown): Static<typeof ItemCreate> {
  return parseBody(ItemCreate, body, 'POST', (item) => {
    const errors = [...checkItem(house, item, 'wrong_type'), ...checkLengths(item, house.defaultLocale)]
    const translated = fieldsOf(fieldsOf(item.translations)[house.defaultLocale])
    const titled = item.title !== undefined || translated.title !== undefined
    return titled ? errors : [fieldError('title', 'required'), ...errors]
  })
}

/**
 * Checks the body of `PATCH /items/{id}` as far as that needs no stored state.
 * @throws Problem validation-failed
 */
export function parseItemUpdate({ house }: Context, body: unknown): Static<typeof ItemUpdate> {
  return parseBody(ItemUpdate, body, 'PATCH', (item) => checkItem(house, item, 'not_clearable'))
}

function checkItem(house: Context['house'], body: Fields, nullCode: 'wrong_type' | 'not_clearable'): FieldError[] {
  return [...checkTexts(body, house.defaultLocale, nullCode), ...checkEstimate(body.estimate, house.currency)]
}

/** What a body needs beyond the permissions of the write itself: attaching reveals the record that is attached. */
export function permissionsOf(body: ItemBody): Permission[] {
  const needed: Permission[] = []
  if (body.seller) needed.push('seller_profiles.read')
  if (body.categories && body.categories.length > 0) needed.push('categories.read')
  if (body.consignment) needed.push('seller_profiles.read')
  return needed
}

/** The state after a change; refuses what the stored state does not allow. */
async function change(context: Context, stored: ItemState, body: ItemBody): Promise<ItemState> {
  const { relations, errors } = changeRelations(
    stored.relations,
    body,
    await findRelations(context, stored.relations, body),
  )
  const bounds = changeBounds(stored.bounds, body.estimate)
  if (!isDeepStrictEqual(bounds, stored.bounds)) errors.push(...checkOrder(bounds))
  errors.push(...checkLengths(body, context.house.defaultLocale, stored.texts))
  if (errors.length > 0) {
    // Of two reasons to refuse, a reference that is taken comes first: it says that the item may be there already.
    if (body.external_reference !== stored.external_reference) await refuseTaken(context, body.external_reference)
    throw validationFailed(errors)
  }
  return {
    external_reference: body.external_reference ?? stored.external_reference,
    texts: changeTexts(stored.texts, body, context.house.defaultLocale),
    bounds,
    relations,
  }
}

const columnsOf = ({ external_reference, texts: { flat }, bounds, relations }: ItemState) => sql`
  external_reference = ${external_reference}, title = ${flat.title}, description = ${flat.description}, condition = ${flat.condition},
  dimensions = ${flat.dimensions}, weight = ${flat.weight}, estimate_low = ${bounds.low}, estimate_high = ${bounds.high},
  seller_id = ${relations.seller}, delivery_class_id = ${relations.delivery_class}, consignment_id = ${relations.consignment},`

// A locale with nothing left has no row.
function translationRows(
  house: string,
  item: RawBuilder<unknown>,
  translations: [Locale, Texts][],
): RawBuilder<unknown> {
  const kept = translations.filter(([, texts]) => textNames.some((name) => texts[name] !== null))
  const column = (name: keyof Texts) => kept.map(([, texts]) => texts[name])
  return sql`
    insert into catalogue.item_translations (house_id, item_id, locale, title, description, condition, dimensions, weight)
    select ${house}, ${item}, t.* from unnest(${kept.map(([locale]) => locale)}::text[], ${column('title')}::text[],
      ${column('description')}::text[], ${column('condition')}::text[], ${column('dimensions')}::text[], ${column('weight')}::text[]) t`
}

// Whether an older system has stored the row's link twice, and this is not the first of them, which stays.
const isRepeated = (house: string, item: string, table: string, target: string) => sql`exists (
  select from ${sql.table(`catalogue.${table}`)} first where first.house_id = ${house} and first.item_id = ${item}
    and first.${sql.ref(target)} = link.${sql.ref(target)} and first.id < link.id)`

// Links that stay keep their rows; the others are deleted, and new ones added.
function changeLinks(house: string, item: string, stored: ItemState, wanted: ItemState): RawBuilder<unknown> {
  const { categories, makers } = wanted.relations
  const changed = Object.entries(wanted.texts.translations).filter(
    ([locale, texts]) => !isDeepStrictEqual(texts, stored.texts.translations[locale as Locale]),
  ) as [Locale, Texts][]
  const links: RawBuilder<unknown>[] = []
  if (changed.length > 0) {
    links.push(sql`, untranslated as (
      delete from catalogue.item_translations
      where house_id = ${house} and item_id = ${item} and locale = any(${changed.map(([locale]) => locale)}::text[])
    ), translated as (${translationRows(house, sql`${item}::bigint`, changed)})`)
  }
  if (!isDeepStrictEqual(categories, stored.relations.categories)) {
    links.push(sql`, uncategorized as (
      delete from catalogue.item_categories link where house_id = ${house} and item_id = ${item}
        and (category_id <> all(${categories}::bigint[]) or ${isRepeated(house, item, 'item_categories', 'category_id')})
    ), categorized as (
      insert into catalogue.item_categories (house_id, item_id, category_id)
      select ${house}, ${item}, added.id from unnest(${categories.filter((id) => !stored.relations.categories.includes(id))}::bigint[]) added (id))`)
  }
  if (!isDeepStrictEqual(makers, stored.relations.makers)) {
    const added = makers.filter((id) => !stored.relations.makers.includes(id))
    links.push(sql`, unmade as (
      delete from catalogue.item_makers link where house_id = ${house} and item_id = ${item}
        and (maker_id <> all(${makers}::bigint[]) or ${isRepeated(house, item, 'item_makers', 'maker_id')})
    ), moved as (
      update catalogue.item_makers link set position = array_position(${makers}::bigint[], maker_id) - 1
      where house_id = ${house} and item_id = ${item} and maker_id = any(${makers}::bigint[])
        and not ${isRepeated(house, item, 'item_makers', 'maker_id')}
    ), made as (
      insert into catalogue.item_makers (house_id, item_id, maker_id, position)
      select ${house}, ${item}, added.id, array_position(${makers}::bigint[], added.id) - 1 from unnest(${added}::bigint[]) added (id))`)
  }
  return sql.join(links, sql``)
}

const taken = 'An item of the house, an archived one perhaps, has this external_reference already.'

async function refuseTaken({ db, house }: Context, reference: string | undefined): Promise<void> {
  const { rows } = await sql`
    select id from catalogue.items where house_id = ${house.id} and external_reference = ${reference ?? null}`.execute(
    db,
  )
  if (rows.length > 0) throw new Problem('duplicate-reference', taken)
}

function refuseDuplicate(error: unknown): never {
  if (violatedConstraint(error) !== 'items_external_reference') throw error
  throw new Problem('duplicate-reference', taken)
}

/**
 * Creates an item with its texts and relations in one transaction (section 4.4) and gives its id and document.
 * @throws Problem validation-failed, duplicate-reference, integrity-unavailable
 */
export async function createItem(
  context: Context,
  input: Static<typeof ItemCreate>,
  expand?: readonly ItemExpansion[],
) {
  const { house, now } = context
  const uuid = randomUUID()
  const nothing: ItemState = {
    external_reference: null,
    texts: { flat: noTexts, translations: {} },
    bounds: { low: null, high: null },
    relations: noRelations,
  }
  return inTransaction(context, async ({ db: tx }) => {
    const inside = { ...context, db: tx }
    const item = await change(inside, nothing, input)
    const { texts, bounds, relations } = item
    const { flat } = texts
    const inserted = await sql<{ id: string }>`
      insert into catalogue.items (house_id, public_id, external_reference, title, description, condition, dimensions, weight,
        estimate_low, estimate_high, seller_id, delivery_class_id, consignment_id, created_at, updated_at)
      values (${house.id}, ${uuid}, ${item.external_reference}, ${flat.title}, ${flat.description}, ${flat.condition}, ${flat.dimensions},
        ${flat.weight}, ${bounds.low}, ${bounds.high}, ${relations.seller}, ${relations.delivery_class}, ${relations.consignment},
        ${now}, ${now})
      returning id`.execute(tx)
    const id = inserted.rows[0]!.id
    await translationRows(
      house.id,
      sql`${id}::bigint`,
      Object.entries(texts.translations) as [Locale, Texts][],
    ).execute(tx)
    if (relations.categories.length > 0) {
      await sql`
        insert into catalogue.item_categories (house_id, item_id, category_id)
        select ${house.id}, ${id}, c.id from unnest(${relations.categories}::bigint[]) with ordinality c (id, place) order by c.place`.execute(
        tx,
      )
    }
    if (relations.makers.length > 0) {
      await sql`
        insert into catalogue.item_makers (house_id, item_id, maker_id, position)
        select ${house.id}, ${id}, m.id, m.place - 1 from unnest(${relations.makers}::bigint[]) with ordinality m (id, place)`.execute(
        tx,
      )
    }
    return { uuid, document: await readOne(inside.db, selectItem(inside, uuid, expand)) }
  }).catch(refuseDuplicate)
}

type LockedItem = { id: string; revision: string; seen: string; state: ItemState; unclear: boolean }

// Reads the state together with the lock. Where another write committed while the lock was waited for, the row is the
// new one and its links are still the old ones, which the revisions tell: then it is read once more.
async function lockItem({ db, house }: Context, uuid: string): Promise<LockedItem> {
  const { rows } = await sql<LockedItem>`
    select i.id, i.revision, (select revision from catalogue.items seen where seen.house_id = i.house_id and seen.id = i.id) as seen,
      links.unclear, json_build_object(
        'external_reference', i.external_reference,
        'bounds', json_build_object('low', i.estimate_low, 'high', i.estimate_high),
        'texts', json_build_object('flat', json_build_object('title', i.title, 'description', i.description, 'condition', i.condition,
          'dimensions', i.dimensions, 'weight', i.weight), 'translations', links.translations),
        'relations', json_build_object('seller', i.seller_id::text, 'delivery_class', i.delivery_class_id::text,
          'consignment', i.consignment_id::text, 'categories', links.categories, 'makers', links.makers)) as state
    from catalogue.items i cross join lateral (
      select count(*) <> count(distinct t.locale) as unclear,
        coalesce(json_object_agg(t.locale, json_build_object('title', t.title, 'description', t.description, 'condition', t.condition,
          'dimensions', t.dimensions, 'weight', t.weight)) filter (where t.locale is not null), '{}') as translations,
        (select coalesce(json_agg(c.category_id::text order by c.id), '[]') from catalogue.item_categories c
          where c.house_id = i.house_id and c.item_id = i.id) as categories,
        (select coalesce(json_agg(m.maker_id::text order by m.position, m.id), '[]') from catalogue.item_makers m
          where m.house_id = i.house_id and m.item_id = i.id) as makers
      from catalogue.item_translations t where t.house_id = i.house_id and t.item_id = i.id
    ) links
    where i.house_id = ${house.id} and i.public_id = ${uuid} and not i.archived for update of i`.execute(db)
  const item = rows[0]
  if (!item) throw new Problem('not-found', 'There is no such item.')
  return item.revision === item.seen ? item : lockItem({ db, house } as Context, uuid)
}

/**
 * Changes an item (section 4.4): what is left out is kept, what is repeated changes nothing and no timestamp.
 * @throws Problem not-found, validation-failed, duplicate-reference, integrity-unavailable
 */
export async function updateItem(
  context: Context,
  uuid: string,
  body: Static<typeof ItemUpdate>,
  expand?: readonly ItemExpansion[],
): Promise<string> {
  return inTransaction(context, async ({ db: tx }) => {
    const inside = { ...context, db: tx }
    const item = await lockItem(inside, uuid)
    if (item.unclear) throw new Problem('integrity-unavailable', 'The item holds a translation twice.')
    const wanted = await change(inside, item.state, body)
    // Categories are a set: another order of the same ones changes nothing.
    const { categories } = item.state.relations
    if (isDeepStrictEqual(categories.toSorted(), wanted.relations.categories.toSorted()))
      wanted.relations.categories = categories
    if (!isDeepStrictEqual(wanted, item.state)) {
      await touchItem(inside, item.id, columnsOf(wanted), changeLinks(context.house.id, item.id, item.state, wanted))
    }
    return readOne(inside.db, selectItem(inside, uuid, expand))
  }).catch(refuseDuplicate)
}
