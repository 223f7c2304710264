import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { kinds } from '../kinds.ts'
import { newestFirst } from '../reads/keyset.ts'
import type { ListSelection, Selection } from '../reads/selections.ts'
import { references, type ReferenceKind } from './document.ts'
import { keys } from './made.ts'
import type { MadeKind } from './schema.ts'

const byName = { name: 'x.name = asked.name' }

const filters: Record<ReferenceKind, Record<string, string>> = {
  seller: { seller_number: 's.seller_number = asked.seller_number::integer' },
  category: { slug: 'c.slug = asked.slug' },
  maker: byName,
  delivery_class: byName,
  increment_strategy: byName,
  consignment: {
    number: 'x.number = asked.number',
    seller:
      'x.seller_id = (select id from catalogue.sellers where house_id = $house and public_id = asked.seller::uuid)',
  },
}

const unarchived = (kind: ReferenceKind, as: string) => ('archives' in kinds[kind] ? [`not ${as}.archived`] : [])

/** The reference records of a kind that pass its filters, without archived ones (sections 4.5 to 4.7). */
export function selectReferences<Of extends Context>(
  context: Of,
  kind: ReferenceKind,
  query: Record<string, string | number | undefined>,
): ListSelection<Of> {
  const documents = references[kind](context)
  const given = Object.entries(filters[kind]).filter(([name]) => query[name] !== undefined)
  const where = [...unarchived(kind, documents.as), ...given.map(([, condition]) => condition)].join(' and ') || 'true'
  const asked = Object.fromEntries(given.map(([name]) => [name, query[name]]))
  return { context, documents, where, asked, order: newestFirst(documents.as) }
}

/** The reference record with this public UUID, archived or not. */
export function selectAnyReference<Of extends Context>(context: Of, kind: ReferenceKind, uuid: string): Selection<Of> {
  const documents = references[kind](context)
  return { context, documents, where: `${documents.as}.public_id = asked.uuid::uuid`, asked: { uuid } }
}

/** The reference record with this public UUID. */
export function selectReference<Of extends Context>(context: Of, kind: ReferenceKind, uuid: string): Selection<Of> {
  const any = selectAnyReference(context, kind, uuid)
  return { ...any, where: [any.where, ...unarchived(kind, any.documents.as)].join(' and ') }
}

/** A record that staff make, as people know it: by its key, and of a seller or category also by its name. */
export type KnownReference = { uuid: string | null; key: string | null; name: string | null }

const keyOf = (kind: MadeKind) => sql`x.${sql.ref(keys[kind])}::text`

const nameOf = (kind: MadeKind, { house }: Pick<Context, 'house'>) => {
  if (kind === 'seller') return sql`coalesce(x.profile_name, x.account_name)`
  return kind === 'category' ? sql`x.names ->> ${house.defaultLocale}` : sql`null::text`
}

/** The unarchived records of a house that have one of these UUIDs, keys or names. */
export async function findKnown(
  context: Pick<Context, 'db' | 'house'>,
  kind: MadeKind,
  uuids: string[],
  names: string[],
): Promise<KnownReference[]> {
  const { rows } = await sql<KnownReference>`
    select x.public_id as uuid, ${keyOf(kind)} as key, ${nameOf(kind, context)} as name
    from ${sql.table(`catalogue.${kinds[kind].plural}`)} x
    where x.house_id = ${context.house.id} and not x.archived and (x.public_id = any(${uuids}::uuid[])
      or ${keyOf(kind)} = any(${names}::text[]) or ${nameOf(kind, context)} = any(${names}::text[]))`.execute(
    context.db,
  )
  return rows
}
