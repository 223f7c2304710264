import { Forms } from '../http/encoding/forms.ts'
import { hash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { followedKinds, kinds, usualKinds, type Followed } from '../kinds.ts'
import { printManagedImage } from '../images/addresses.ts'
import { Problem } from '../problems.ts'
import type { Credentials } from '../http/access/authentication.ts'
import { contextOf, type ServedContext } from '../reads/context.ts'
import { freeSlot } from '../http/server/slots.ts'
import { printEtag, signaturePeriod } from '../reads/conditional.ts'
import { parseCursor, printCursor } from '../reads/cursors.ts'
import type { Position } from '../reads/keyset.ts'
import { printLink } from '../reads/answers.ts'
import { baseOf, readFeed, signRows, type FeedPage, type FeedRequest } from './feed.ts'
import { addUp, shareSums } from './fingerprint.ts'
import { parseWait } from './prefer.ts'
import type { FeedPosition } from './statements.ts'
import { Changes, ChangesHeaders, ChangesQuery, Fingerprint, FingerprintQuery } from './schema.ts'
import type { WaitingRoom } from './waiting-room.ts'

const tags = ['Changes']
const types = Object.fromEntries(followedKinds.map((kind) => [kind, [kinds[kind].permission]]))
const following = { types, expands: { record: [] }, problems: ['missing-permission'] } as const
const path = '/api/v2/changes'

const isChanged = () => new Problem('invalid-cursor', 'The cursor was not issued for this house and these types.')

// Images have a number of their own in the cursors of requests that name them. Others keep the form that they had.
const positionOf = ({ sort, id }: Position): FeedPosition => ({ number: sort, image: id === '' ? '0' : id })
const printPosition = ({ number, image }: FeedPosition, kinds: readonly Followed[]): Position => ({
  sort: number,
  id: kinds.includes('image') ? image : '',
})

// A cursor belongs to the base of the house and to the types.
const scopeOf = (context: ServedContext, kinds: readonly Followed[]) => ({
  house: context.house.id,
  generation: `${context.house.generation} ${baseOf(context)}`,
  path,
  filters: { kinds },
})

function kindsOf({ query, credentials }: FastifyRequest): readonly Followed[] {
  const { 'types[]': chosen } = query as { 'types[]'?: Followed[] }
  const allowed = (kind: Followed) => credentials.permissions.includes(kinds[kind].permission)
  return chosen ? followedKinds.filter((kind) => chosen.includes(kind)) : usualKinds.filter(allowed)
}

/**
 * An answer of the feed, shared by all requests that wait for the same page. `hash`: of its bytes without signed URLs.
 */
type FeedAnswer = { body: Buffer; hash: string; isSigned: boolean; hasMore: boolean; next: string; forms: Forms }

async function printFeed(page: FeedPage, next: string, sign: (image: string) => Promise<string>): Promise<FeedAnswer> {
  const { rows, hasMore } = page
  const end = `"has_more":${hasMore},"next_cursor":"${next}"}`
  const body = Buffer.from(`{"data":[${(await signRows(page, sign)).join(',')}],${end}`)
  const isSigned = rows.some(({ image }) => image !== undefined)
  return {
    body,
    hash: hash('sha1', isSigned ? JSON.stringify([rows, end]) : body),
    isSigned,
    hasMore,
    next,
    forms: new Forms(),
  }
}

// As in other lists, the ETag of a page with signed URLs is weak, and belongs to the half-hour of the signatures.
function etagOf({ url }: FastifyRequest, { hash, isSigned }: FeedAnswer): string {
  return isSigned ? `W/${printEtag(url, hash, signaturePeriod())}` : printEtag(url, hash)
}

function sendFeed(request: FastifyRequest, reply: FastifyReply, answer: FeedAnswer) {
  if (answer.hasMore) reply.header('link', printLink(request, answer.next, 'after'))
  reply.forms = answer.isSigned ? 'none' : answer.forms
  return reply.header('etag', etagOf(request, answer)).type('application/json').send(answer.body)
}

/** The feed of changes, and its fingerprint. `authenticate` is called again when a request has waited. */
export const changeRoutes: FastifyPluginAsyncTypebox<{
  room: WaitingRoom
  authenticate: (header: string | undefined) => Promise<Credentials>
}> = async (app, { room, authenticate }) => {
  const { keyrings, media } = app.site
  const sign = (image: string) => printManagedImage(media, image, new Date())
  const readSums = shareSums()
  app.addHook('preClose', () => room.close())

  // A key may be revoked while its request waits: then the wait ends.
  const isRefused = (header: string | undefined) =>
    authenticate(header).then(
      () => false,
      (error: unknown) => error instanceof Problem && error.code === 'unauthorized',
    )

  async function waitForChanges(
    request: FastifyRequest,
    context: ServedContext,
    wanted: FeedRequest,
    seconds: number,
    print: (page: FeedPage) => Promise<FeedAnswer>,
  ): Promise<FeedAnswer | undefined> {
    freeSlot(request)
    const name = JSON.stringify([baseOf(context), wanted])
    const { authorization } = request.headers
    const waiting = {
      house: context.house.id,
      name,
      milliseconds: seconds * 1000,
      client: request.raw.socket,
      isOver: () => isRefused(authorization),
    }
    const answer = await room.wait(waiting, async () => {
      const page = await readFeed({ ...context, now: new Date() }, wanted)
      return page.rows.length > 0 || page.hasMore ? print(page) : undefined
    })
    request.credentials = await authenticate(authorization)
    if (baseOf(contextOf(request)) !== baseOf(context)) throw isChanged()
    return answer
  }

  app.get(
    '/changes',
    {
      config: following,
      schema: {
        operationId: 'listChanges',
        summary: 'Follow the catalogue',
        description:
          'Each record is at the place of its latest change. From its beginning the feed gives every record. A client that continues from next_cursor until has_more is false has missed no write that was committed before.',
        tags,
        querystring: ChangesQuery,
        headers: ChangesHeaders,
        response: { 200: Changes },
      },
    },
    async (request, reply) => {
      const { limit = 25, after, 'expand[]': expand = [] } = request.query
      const context = contextOf(request)
      const kinds = kindsOf(request)
      const scope = scopeOf(context, kinds)
      const position = after === undefined ? { sort: '0', id: '' } : parseCursor(keyrings.cursors, scope, after)
      if (!position) throw isChanged()
      const wanted = { kinds, after: positionOf(position), limit, record: expand.includes('record') }
      const seconds = parseWait(request.headers.prefer)
      if (seconds !== undefined) reply.header('preference-applied', `wait=${seconds}`)
      const print = (page: FeedPage) =>
        printFeed(page, printCursor(keyrings.cursors, scope, printPosition(page.last, kinds)), sign)
      const page = await readFeed(context, wanted)
      const isAwaited = seconds !== undefined && page.rows.length === 0 && !page.hasMore
      const awaited = isAwaited ? await waitForChanges(request, context, wanted, seconds, print) : undefined
      return sendFeed(request, reply, awaited ?? (await print(page)))
    },
  )
  app.get(
    '/changes/fingerprint',
    {
      config: { types, problems: ['missing-permission'] },
      schema: {
        operationId: 'getFingerprint',
        summary: 'Prove a copy of the catalogue',
        description:
          'A client that has followed the changes to the end computes the same sum from the versions in the feed.',
        tags,
        querystring: FingerprintQuery,
        response: { 200: Fingerprint },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const kinds = kindsOf(request)
      const sums = await readSums(context, kinds)
      const cursor = printCursor(keyrings.cursors, scopeOf(context, kinds), printPosition(sums.last, kinds))
      return reply.send({ cursor, ...addUp(sums, kinds) })
    },
  )
}
