import { sql, type RawBuilder } from 'kysely'
import { auctionTag, joinAuctionDocument, sessionIds } from '../documents/auctions.ts'
import type { Context } from '../context.ts'
import { idOf, printObject } from '../reads/documents.ts'
import { newestFirst } from '../reads/keyset.ts'
import { memoize, type Documents, type ListSelection, type Selection } from '../reads/selections.ts'
import { joinSessionDocument } from '../documents/sessions.ts'

const order = newestFirst('s', 'opens_at')

/** The values of `expand[]` for a session. */
export type SessionExpansion = 'auction' | 'counts'

const numberWhere = (condition: RawBuilder<unknown>) => sql<string>`(count(*) filter (where ${condition}))::text`

// What became of a lot: sold, unsold, withdrawn, or null.
const result = sql`l.result_state`

// The images of all items are found at once: a look-up for each lot would take twice the time. The full join finds the
// rows of a left join, because all that is shown is offered, and unlike it is never a nested loop.
function joinCounts({ house }: Pick<Context, 'house'>): RawBuilder<unknown> {
  const text = printObject({
    lots: sql`of_lots.lots`,
    active: sql`of_lots.active`,
    with_bids: sql`of_lots.with_bids`,
    extended: sql`of_lots.extended`,
    sold: sql`of_lots.sold`,
    unsold: sql`of_lots.unsold`,
    withdrawn: sql`of_lots.withdrawn`,
    without_result: sql`of_lots.without_result`,
    without_images: sql`of_gallery.without_images`,
    images_processing: sql`of_images.processing`,
    images_failed: sql`of_images.failed`,
  })
  // Times that are printed as the same do not differ.
  const isExtended = sql`s.kind = 'timed' and l.closes_at <> l.scheduled_closes_at
    and date_trunc('milliseconds', l.closes_at) <> date_trunc('milliseconds', l.scheduled_closes_at)`
  return sql`
  cross join lateral (
    select array_agg(l.item_id) as items, count(*)::text as lots, ${numberWhere(sql`l.active`)} as active,
      ${numberWhere(sql`l.current_bid is not null`)} as with_bids, ${numberWhere(isExtended)} as extended,
      ${numberWhere(sql`${result} = 'sold'`)} as sold, ${numberWhere(sql`${result} = 'unsold'`)} as unsold,
      ${numberWhere(sql`${result} = 'withdrawn'`)} as withdrawn, ${numberWhere(sql`${result} is null`)} as without_result
    from catalogue.lots l where l.house_id = ${house.id} and l.session_id = s.id and not l.archived
  ) of_lots
  cross join lateral (
    select ${numberWhere(sql`shown.item_id is null`)} as without_images
    from unnest(of_lots.items) offered (item_id)
    full join (
      select distinct image.item_id from catalogue.images image
      where image.house_id = ${house.id} and image.item_id = any(of_lots.items) and image.public
    ) shown on shown.item_id = offered.item_id
  ) of_gallery
  cross join lateral (
    select coalesce(sum(unsettled.processing), 0)::text as processing, coalesce(sum(unsettled.failed), 0)::text as failed
    from (
      select image.item_id, count(*) filter (where image.processing) as processing,
        count(*) filter (where image.processing_failed_at is not null) as failed
      from catalogue.images image
      where image.house_id = ${house.id} and image.item_id = any(of_lots.items)
        and (image.processing or image.processing_failed_at is not null)
      group by image.item_id
    ) unsettled
    join catalogue.items i on i.house_id = ${house.id} and i.id = unsettled.item_id and not i.archived
  ) of_images
  cross join lateral (select ${text} as json) counts`
}

const publicSessions = memoize((context, expand: readonly SessionExpansion[]) => describe(context, expand))

// A tag begins with the format, and one tag serves both interfaces.
const staffSessions = memoize((context, expand: readonly SessionExpansion[]) => ({
  ...describe(context, expand, {
    staff: sql`json_build_object('results', s.results, 'numbers_fixed', s.numbers_fixed)`,
  }),
  format: publicSessions(context, expand).format,
}))

/** Sessions `s` with their documents, for staff with the field `staff`. */
export const sessions = (
  context: Pick<Context, 'house' | 'mediaBase' | 'seesStaff'>,
  expand?: readonly SessionExpansion[],
): Documents => (context.seesStaff ? staffSessions : publicSessions)(context, expand)

type More = Record<string, RawBuilder<unknown>>

function describe(context: Pick<Context, 'house'>, expand: readonly SessionExpansion[], more: More = {}) {
  const documents = uncounted(context, expand, more)
  if (!expand.includes('counts')) return documents
  // The counts themselves are a part of the tag, so that no write has to advance the session.
  const parents = sql`${documents.parents} ${joinCounts(context)}`
  return { ...documents, parents, tag: sql`${documents.tag} || '.' || counts.json` }
}

function uncounted(context: Pick<Context, 'house'>, expand: readonly SessionExpansion[], more: More) {
  const table = sql`catalogue.sessions`
  const parents = sql`join catalogue.auctions parent on parent.house_id = ${context.house.id} and parent.id = s.auction_id`
  const fields = { ...(expand.includes('counts') && { counts: sql`counts.json::json` }), ...more }
  if (expand.includes('auction')) {
    const auction = { json: sql`auction.json`, defect: sql`auction.defect` }
    const joins = sql`${joinAuctionDocument('parent', 'auction', sessionIds(context, 'parent'))}
      ${joinSessionDocument(context, 's', 'document', auction, fields)}`
    return {
      table,
      as: 's',
      parents,
      tag: sql`s.id || '.' || s.revision || '.' || ${auctionTag(context, 'parent')}`,
      joins,
    }
  }
  const auction = {
    json: idOf('auction', 'parent'),
    defect: sql`case when parent.public_id is null then 'has no public id' end`,
  }
  const joins = joinSessionDocument(context, 's', 'document', auction, fields)
  return { table, as: 's', parents, tag: sql`s.id || '.' || s.revision`, joins }
}

/** The house's sessions, the latest opening time first (section 4.2). */
export function selectSessions<Of extends Context>(
  context: Of,
  {
    published,
    external_reference,
    auction,
    'expand[]': expand,
  }: {
    published?: boolean | undefined
    external_reference?: string | undefined
    auction?: string | undefined
    'expand[]'?: readonly SessionExpansion[]
  },
): ListSelection<Of> {
  const conditions = ['not s.archived']
  // A comparison with a constant would be rewritten by the planner, which then could not use the index on this
  // expression.
  if (published !== undefined) conditions.push('(s.published and not s.hidden) = (select asked.published::boolean)')
  if (external_reference !== undefined) conditions.push('s.external_reference = asked.external_reference')
  if (auction !== undefined)
    conditions.push(
      's.auction_id = (select id from catalogue.auctions where house_id = $house and public_id = asked.auction::uuid)',
    )
  const asked = { published, external_reference, auction }
  return { context, documents: sessions(context, expand), where: conditions.join(' and '), asked, order }
}

/** The session with this public UUID. */
export function selectSession<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly SessionExpansion[],
): Selection<Of> {
  return {
    context,
    documents: sessions(context, expand),
    where: 's.public_id = asked.uuid::uuid and not s.archived',
    asked: { uuid },
  }
}
