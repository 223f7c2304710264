import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../context.ts'
import { kinds } from '../kinds.ts'
import { newestFirst } from '../reads/keyset.ts'
import { listRecords } from '../reads/lists.ts'
import type { ListSelection, Selection } from '../reads/selections.ts'
import { references, type ReferenceKind } from './document.ts'
import type { IncrementStrategy } from './schema.ts'
import type { Money } from '../values/money.ts'

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

type ListedStrategy = Omit<Static<typeof IncrementStrategy>, 'steps'> & {
  steps: { from: Money; increment: Money }[]
  sessions: number
}

/** All increment strategies of a house, or those with a name, each with the number of its unarchived sessions. */
export function listStrategies(context: Context, { name }: { name?: string | undefined }) {
  const sessions = sql`(select count(*)::int from catalogue.sessions s
    where s.house_id = ${context.house.id} and s.increment_strategy_id = x.id and not s.archived)`
  return listRecords<ListedStrategy>(selectReferences(context, 'increment_strategy', { name }), { sessions })
}
