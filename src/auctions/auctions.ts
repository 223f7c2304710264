import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { Context, Scope, Written } from '../context.ts'
import { violatedConstraint } from '../db/errors.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { refuseTaken } from '../writes/external-references.ts'
import { fieldError, parseBody } from '../http/body/validation.ts'
import { Problem, notFound, conflict } from '../problems.ts'
import { printId } from '../values/ids.ts'
import { byteLength } from '../values/text.ts'
import { chooseSlug, slugify } from '../values/slugs.ts'
import { selectAuction, type AuctionExpansion, selectAnyAuction } from './queries.ts'
import { AuctionUpdate, descriptionBytes, type AuctionCreate } from './schema.ts'
import { lockAnyAuction, lockSlugs, isForSale } from './statements.ts'
import { insertAuction, touchAuction } from './touch.ts'

/**
 * Locks an auction before a write to it or to its sessions. Returns undefined if the auction does not exist or is
 * archived.
 */
export async function lockAuction(tx: Scope, uuid: string) {
  const auction = await lockAnyAuction(tx, uuid)
  return auction?.archived ? undefined : auction
}

/**
 * Creates a draft auction (section 4.2).
 * @throws Problem duplicate-reference, integrity-unavailable
 */
export async function createAuction(
  context: Context,
  input: Static<typeof AuctionCreate>,
  expand?: readonly AuctionExpansion[],
): Promise<Written> {
  const { external_reference, title, description = null } = input
  const uuid = randomUUID()
  const base = slugify(title)
  try {
    return await inTransaction(context, async (tx) => {
      const slug = chooseSlug(await lockSlugs(tx, base), base)
      await insertAuction(tx, { uuid, external_reference, title, description, slug })
      return { id: printId('auction', uuid), ...(await readWritten(tx, selectAuction(tx, uuid, expand))) }
    })
  } catch (error) {
    // A load takes no lock for slugs, and may have committed the same slug.
    if (violatedConstraint(error) === 'auctions_slug') return createAuction(context, input, expand)
    return refuseTaken('auction', external_reference)(error)
  }
}

/**
 * Changes the text of a draft auction (section 4.2). An omitted or repeated value changes nothing.
 * @throws Problem not-found, precondition-failed, precondition-required, auction-published, validation-failed, in this
 *   order
 */
export async function changeDraftAuction(
  context: Context,
  uuid: string,
  body: unknown,
  expand?: readonly AuctionExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly AuctionExpansion[]) => selectAuction(tx, uuid, names)
    const found = await lockAnyAuction(tx, uuid)
    if (found?.archived) throw notFound('auction', uuid, true)
    const stored = await requireLocked(tx, found, select, 'auction')
    if (stored.published) throw new Problem('auction-published', 'A published auction cannot be changed.')
    // A stored description beyond the bound may be repeated or shortened.
    const longest = Math.max(descriptionBytes, byteLength(stored.description ?? ''))
    const { title = stored.title, description = stored.description } = parseBody(
      AuctionUpdate,
      body,
      'PATCH',
      ({ description: text }) =>
        typeof text === 'string' && byteLength(text) > longest ? [fieldError('description', 'too_long')] : [],
    )
    await touchAuction(tx, stored, { title, description })
    return readWritten(tx, select(expand))
  })
}

/** What staff change of an auction. An omitted field stays. */
export type AuctionChange = { published?: boolean | undefined; archived?: true | undefined }

/**
 * Publishes an auction, makes it a draft again, or archives it. Returns it. An archived one can
 * only be archived again. Repeating it changes nothing.
 * @throws Problem not-found, precondition-failed, precondition-required, conflict if it would be archived while lots of
 *   an unfinished session are in it
 */
export async function changeAuction(
  context: Context,
  uuid: string,
  change: AuctionChange,
  expand?: readonly AuctionExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly AuctionExpansion[]) => selectAnyAuction(tx, uuid, names)
    const found = await lockAnyAuction(tx, uuid)
    if (found?.archived && !(change.archived && change.published === undefined)) throw notFound('auction', uuid, true)
    const auction = await requireLocked(tx, found, select, 'auction', uuid)
    const { published = auction.published, archived = auction.archived } = change
    if (archived && !auction.archived && (await isForSale(tx, auction.id)))
      throw conflict({ reason: 'in_use', record: { kind: 'auction', uuid } })
    await touchAuction(tx, auction, { published, archived })
    return readWritten(tx, select(expand))
  })
}
