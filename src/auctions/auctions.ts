import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Context } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import { readOne } from '../db/reads.ts'
import { touch } from '../db/touch.ts'
import { inTransaction } from '../db/transaction.ts'
import { fieldError, parseBody } from '../request/validation.ts'
import { Problem } from '../problems.ts'
import { byteLength } from '../values/text.ts'
import { chooseSlug, slugify } from '../values/slugs.ts'
import { selectAuction, type AuctionExpansion } from './queries.ts'
import { AuctionUpdate, descriptionBytes, type AuctionCreate } from './schema.ts'

// Only creations whose slugs could meet wait for one another: `sale`, and `sale-2` by title or by number.
const slugLock = 4_872_002

/**
 * Creates a draft auction (section 4.2) and gives its id and document.
 * @throws Problem duplicate-reference, integrity-unavailable
 */
export async function createAuction(
  context: Context,
  input: Static<typeof AuctionCreate>,
  expand?: readonly AuctionExpansion[],
) {
  const { house, now } = context
  const uuid = randomUUID()
  const base = slugify(input.title)
  try {
    return await inTransaction(context, async ({ db: tx }) => {
      await sql`select pg_advisory_xact_lock(${slugLock}::int, hashtext(${`${house.id} ${base.replace(/(-\d+)+$/, '')}`}))`.execute(
        tx,
      )
      const alike = await sql<{ slug: string }>`
        select slug from catalogue.auctions where house_id = ${house.id} and (slug = ${base} or slug like ${`${base}-%`})`.execute(
        tx,
      )
      const slug = chooseSlug(new Set(alike.rows.map((row) => row.slug)), base)
      await sql`
        insert into catalogue.auctions (house_id, public_id, external_reference, title, description, slug, created_at, updated_at)
        values (${house.id}, ${uuid}, ${input.external_reference}, ${input.title}, ${input.description ?? null}, ${slug}, ${now}, ${now})`.execute(
        tx,
      )
      return { uuid, document: await readOne(tx, selectAuction(context, uuid, expand)) }
    })
  } catch (error) {
    // A load takes no lock for slugs: it has just committed this one.
    if (violatedConstraint(error) === 'auctions_slug') return createAuction(context, input, expand)
    if (violatedConstraint(error) !== 'auctions_external_reference') throw error
    throw new Problem('duplicate-reference', 'An auction of the house has this external_reference already.')
  }
}

/**
 * Changes the text of a draft auction (section 4.2); what is repeated or left out changes nothing.
 * @throws Problem not-found, auction-published, validation-failed, in this order
 */
export async function updateAuction(
  context: Context,
  uuid: string,
  body: unknown,
  expand?: readonly AuctionExpansion[],
): Promise<string> {
  const { house } = context
  return inTransaction(context, async ({ db: tx }) => {
    const { rows } = await sql<{ id: string; title: string | null; description: string | null; published: boolean }>`
      select id, title, description, published from catalogue.auctions
      where house_id = ${house.id} and public_id = ${uuid} and not archived for update`.execute(tx)
    const stored = rows[0]
    if (!stored) throw new Problem('not-found', 'There is no such auction.')
    if (stored.published) throw new Problem('auction-published', 'A published auction cannot be changed.')
    // One that is stored and longer may be repeated, or shortened.
    const longest = Math.max(descriptionBytes, byteLength(stored.description ?? ''))
    const { title = stored.title, description = stored.description } = parseBody(
      AuctionUpdate,
      body,
      'PATCH',
      ({ description: text }) =>
        typeof text === 'string' && byteLength(text) > longest ? [fieldError('description', 'too_long')] : [],
    )
    if (title !== stored.title || description !== stored.description) {
      await touch({ ...context, db: tx }, 'auctions', stored.id, { title, description })
    }
    return readOne(tx, selectAuction(context, uuid, expand))
  })
}
