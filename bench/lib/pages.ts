import { sql } from 'kysely'
import { readGeneration } from '../../src/db/generation.ts'
import { printCursor } from '../../src/reads/cursors.ts'
import { deriveKeyrings, findSecret } from '../../src/settings/secret.ts'
import type { BenchData } from './data.ts'

/** A request to the service (below its base path), and the same request to the floor. */
export type Work = { service: string; floor: string }

const expanded = 'expand[]=item&expand[]=item.images&expand[]=session'

type Position = { sort: string; id: string }

const beginning = { sort: '-1', id: '00000000-0000-0000-0000-000000000000' }

/** The first `limit` lots of a session. */
export const sessionPage = (session: string, limit: number): Work => ({
  service: `lots?session=${session}&limit=${limit}&${expanded}`,
  floor: `session_lots/${session}/${beginning.sort}/${beginning.id}/${limit}`,
})

/** The first page of the walk through the whole house. */
export const firstPage = (limit: number): Work => ({
  service: `lots?limit=${limit}&${expanded}`,
  floor: `lots_behind/${beginning.sort}/${beginning.id}/${limit}`,
})

// The last position has no page after it.
async function findPositions({ db, house }: BenchData, limit: number, session?: string): Promise<Position[]> {
  const { rows } = await sql<Position>`
    select sort, id from (
      select l.lot_number::text as sort, l.public_id::text as id,
        row_number() over (order by l.lot_number, l.public_id) as place
      from catalogue.lots l join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
      where l.house_id = ${house.id} and (${session ?? null}::uuid is null or s.public_id = ${session ?? null}::uuid)
    ) lots where place % ${limit}::int = 0 order by place`.execute(db)
  return rows.slice(0, -1)
}

/** All pages but the first of the walk through the whole house, or through one session. */
export async function walkPages(data: BenchData, limit: number, session?: string): Promise<Work[]> {
  const { cursors } = deriveKeyrings(await findSecret(data.dataDir, undefined))
  const filters = session === undefined ? {} : { session }
  const generation = await readGeneration(data.db)
  const scope = { house: data.house.id, generation, path: '/api/v2/lots', filters }
  const { service } = session === undefined ? firstPage(limit) : sessionPage(session, limit)
  const floor = session === undefined ? 'lots_behind' : `session_lots/${session}`
  return (await findPositions(data, limit, session)).map((position) => ({
    service: `${service}&cursor=${printCursor(cursors, scope, position)}`,
    floor: `${floor}/${position.sort}/${position.id}/${limit}`,
  }))
}

// The public UUIDs of a lot in the middle of the catalogue, its session and the reference of its item.
async function findMiddle({ db, house, lots }: BenchData) {
  const { rows } = await sql<{ lot: string; session: string; reference: string }>`
    select l.public_id as lot, s.public_id as session, i.external_reference as reference from catalogue.items i
    join catalogue.lots l on l.house_id = i.house_id and l.item_id = i.id
    join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
    where i.house_id = ${house.id} and i.external_reference = ${`item-${Math.floor(lots / 2)}`}`.execute(db)
  return rows[0]!
}

/** The public UUIDs of the first sessions of the house. */
export async function findSessions({ db, house }: BenchData, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select public_id as id from catalogue.sessions where house_id = ${house.id} order by id limit ${count}`.execute(db)
  return rows.map(({ id }) => id)
}

/** One lot with its item: `count` different ones from all sessions. */
export async function singleLots({ db, house }: BenchData, count: number): Promise<Work[]> {
  const { rows } = await sql<{ id: string }>`
    select public_id as id from catalogue.lots where house_id = ${house.id} order by md5(public_id::text) limit ${count}`.execute(
    db,
  )
  return rows.map(({ id }) => ({ service: `lots/${id}?expand[]=item`, floor: `lot/${id}` }))
}

/** Every page of this size in these sessions. */
async function allPages(data: BenchData, sessions: string[], limit: number): Promise<Work[]> {
  const pages: Work[] = []
  for (const session of sessions) pages.push(sessionPage(session, limit), ...(await walkPages(data, limit, session)))
  return pages
}

/** A kind of read. Its pages are requested in turn; with `again`, the first one with its ETag. */
export type Read = { name: string; pages: Work[]; again?: boolean }

/** The reads that the benches measure. */
export async function listReads(data: BenchData): Promise<Read[]> {
  const { lot, session, reference } = await findMiddle(data)
  const sessions = await findSessions(data, 16)
  const walk = await walkPages(data, 100)
  const many = await findSessions(data, 150)
  const ofMany = await allPages(data, many, 100)
  return [
    { name: '100 lots, known', pages: [sessionPage(session, 100)] },
    { name: '100 lots, known, of 16 sessions', pages: sessions.map((each) => sessionPage(each, 100)) },
    { name: `100 lots, unknown (${walk.length} pages in turn)`, pages: walk },
    { name: '100 lots, unknown, all pages of 150 sessions', pages: ofMany },
    { name: '25 lots, known', pages: [sessionPage(session, 25)] },
    { name: 'one lot with item', pages: [{ service: `lots/${lot}?expand[]=item`, floor: `lot/${lot}` }] },
    {
      name: 'item by reference',
      pages: [{ service: `items?external_reference=${reference}`, floor: `item_by_reference/${reference}` }],
    },
    { name: '304 of 100 lots, floor 200', pages: [sessionPage(session, 100)], again: true },
  ]
}
