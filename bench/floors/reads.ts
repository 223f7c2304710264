import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool, type PoolConfig } from 'pg'
import { textNames } from '../../src/items/texts.ts'

// The least program that could answer: bare node:http, and one prepared statement whose result is the whole body. It
// has no keys, checks, cursors, defects or ETags. Its argument is JSON: the connection and the house's internal id.
const { connection, house } = JSON.parse(process.argv[2]!) as { connection: PoolConfig; house: string }

const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const money = (column: string) =>
  `case when ${column} is not null then json_build_object('amount', ${column}, 'currency', 'EUR') end`

const images = `(select coalesce(json_agg(json_build_object('id', 'img_' || m.public_id, 'url', null, 'preview_url', null,
    'thumbnail_url', null, 'mini_url', null, 'position', m.position, 'featured', m.featured, 'width', m.width, 'height', m.height,
    'placeholder', m.placeholder, 'sources', '[]'::json, 'alt', m.alts ->> 'nl', 'alt_translations', m.alts) order by m.position), '[]')
  from catalogue.images m where m.house_id = i.house_id and m.item_id = i.id and m.public)`
const imageIds = `(select coalesce(json_agg('img_' || m.public_id order by m.position), '[]')
  from catalogue.images m where m.house_id = i.house_id and m.item_id = i.id and m.public)`

const texts = (table: string) => textNames.map((name) => `'${name}', ${table}.${name}`).join(', ')

const item = (
  gallery: string,
) => `json_build_object('id', 'itm_' || i.public_id, 'external_reference', i.external_reference,
  ${texts('i')},
  'estimate', json_build_object('low', ${money('i.estimate_low')}, 'high', ${money('i.estimate_high')}), 'images', ${gallery},
  'translations', (select json_object_agg(t.locale, json_strip_nulls(json_build_object(${texts('t')})))
    from catalogue.item_translations t where t.house_id = i.house_id and t.item_id = i.id),
  'seller', (select 'sel_' || x.public_id from catalogue.sellers x where x.house_id = i.house_id and x.id = i.seller_id),
  'categories', (select json_agg('cat_' || x.public_id order by l.id) from catalogue.item_categories l
    join catalogue.categories x on x.house_id = l.house_id and x.id = l.category_id where l.house_id = i.house_id and l.item_id = i.id),
  'makers', (select json_agg('mkr_' || x.public_id order by l.position) from catalogue.item_makers l
    join catalogue.makers x on x.house_id = l.house_id and x.id = l.maker_id where l.house_id = i.house_id and l.item_id = i.id),
  'delivery_class', (select 'dlc_' || x.public_id from catalogue.delivery_classes x where x.house_id = i.house_id and x.id = i.delivery_class_id),
  'consignment', (select 'con_' || x.public_id from catalogue.consignments x where x.house_id = i.house_id and x.id = i.consignment_id),
  'created_at', ${time('i.created_at')}, 'updated_at', ${time('i.updated_at')})`

const session = `json_build_object('id', 'ses_' || s.public_id, 'auction', 'auc_' || a.public_id, 'title', s.titles ->> 'nl',
  'external_reference', s.external_reference, 'kind', s.kind, 'opens_at', ${time('s.opens_at')},
  'timed', json_build_object('first_closes_at', ${time('s.first_closes_at')}, 'group_size', s.group_size, 'interval_seconds', s.interval_seconds,
    'extension_threshold_seconds', coalesce(s.extension_threshold_seconds, 120), 'extension_seconds', coalesce(s.extension_seconds, 120)),
  'settings', json_build_object('buyer_premium_percentage', coalesce(s.buyer_premium_percentage, 0)::text),
  'increment_strategy', 'inc_' || strategy.public_id, 'published', s.published and not s.hidden, 'finished', s.finished,
  'customer_bidding_enabled', s.customer_bidding_enabled, 'created_at', ${time('s.created_at')}, 'updated_at', ${time('s.updated_at')})`

const lot = (
  item: string,
  session: string,
) => `json_build_object('id', 'lot_' || l.public_id, 'lot_number', l.lot_number, 'active', l.active,
  'title', i.title, 'starting_bid', ${money('l.starting_bid')}, 'current_bid', ${money('l.current_bid')}, 'sold', l.sold,
  'result', l.result_state, 'notice', l.notices ->> 'nl', 'notice_translations', l.notices,
  'closes_at', ${time('l.closes_at')}, 'timed', json_build_object('scheduled_closes_at', ${time('l.scheduled_closes_at')}),
  'item', ${item}, 'session', ${session}, 'created_at', ${time('l.created_at')}, 'updated_at', ${time('l.updated_at')})`

const lotsWithAll = `catalogue.lots l
  join catalogue.items i on i.house_id = l.house_id and i.id = l.item_id
  join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
  join catalogue.auctions a on a.house_id = s.house_id and a.id = s.auction_id
  left join catalogue.increment_strategies strategy on strategy.house_id = s.house_id and strategy.id = s.increment_strategy_id`

const position = `coalesce(l.lot_number, 2147483648), coalesce(l.public_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`
const list = (
  json: string,
  from: string,
) => `select json_build_object('data', coalesce(json_agg(json), '[]'))::text as body
  from (select ${json} as json from ${from}) page`
const one = (json: string, from: string) => `select json_build_object('data', ${json})::text as body from ${from}`

const oneLot = `catalogue.lots l join catalogue.items i on i.house_id = l.house_id and i.id = l.item_id
      join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
  where l.house_id = $1 and l.public_id = $2::uuid and not l.archived`

// By the first segment of the path. The other segments are the parameters.
const statements: Record<string, string> = {
  session_lots: list(
    lot(item(images), session),
    `${lotsWithAll} where l.house_id = $1 and not l.archived
      and l.session_id = (select id from catalogue.sessions where house_id = $1 and public_id = $2::uuid)
      and (${position}) > ($3::bigint, $4::uuid) order by ${position} limit $5::int`,
  ),
  lot: one(lot(item(imageIds), `'ses_' || s.public_id`), oneLot),
  item_by_reference: list(
    item(imageIds),
    'catalogue.items i where i.house_id = $1 and i.external_reference = $2 and not i.archived',
  ),
  lots_behind: list(
    lot(item(images), session),
    `${lotsWithAll} where l.house_id = $1 and not l.archived and (${position}) > ($2::bigint, $3::uuid)
      order by ${position} limit $4::int`,
  ),
}

const pool = new Pool({
  ...connection,
  max: 20,
  options: '-c timezone=UTC -c datestyle=ISO -c jit=off -c random_page_cost=1.1',
})

async function answer(path: string, response: ServerResponse): Promise<void> {
  const [name, ...parameters] = path.slice(1).split('/')
  const { rows } = await pool.query<{ body: string }>({
    name: name!,
    text: statements[name!]!,
    values: [house, ...parameters],
  })
  const { body } = rows[0]!
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

const server = createServer((request, response) => void answer(request.url!, response))
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
