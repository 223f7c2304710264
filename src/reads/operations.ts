// A read of any record has five phases:
// - selection (selections.ts): a resource describes the records, their documents and their order;
// - check (statements.ts, reads.ts): one statement finds the present tags of the records;
// - build: one statement builds the documents whose tags have changed;
// - cached answer (answers.ts, cache.ts): unchanged records come from the response cache;
// - conditional (conditional.ts): the ETag, and 304 to a client that holds the answer.
// For lists, answers.ts adds cursors (cursors.ts) and `Link`; keyset.ts has the orders.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static, TObject } from 'typebox'
import type { Permission } from '../context.ts'
import { pathId } from '../http/path.ts'
import { kinds, type Followed } from '../kinds.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { pascalCase } from '../values/text.ts'
import { conditionOf } from './conditional.ts'
import { contextOf, type ServedContext } from './context.ts'
import { pagingOf, readPage, sendPage, readRecord, sendAnswer } from './answers.ts'
import type { ListSelection, Selection } from './selections.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

type Operation<Query extends TObject> = {
  /** Set for staff: the permission `staff` too, and the documents of staff. */
  staff?: true
  tags: readonly string[]
  /** The permissions of each expansion. */
  expands?: Readonly<Record<string, readonly Permission[]>>
  /** The expansions whose answers have a weak ETag. */
  weakens?: readonly string[]
  query?: Query
}

const configOf = (kind: Followed, { staff, expands, weakens }: Operation<TObject>) => ({
  permissions: [...(staff ? (['staff'] as const) : []), kinds[kind].permission],
  ...(expands && { expands }),
  ...(weakens && { weakens }),
})

// The shape of a record, and how operations name it.
const shapeOf = (kind: Followed, { staff }: Operation<TObject>) => `${staff ? 'Staff' : ''}${pascalCase(kind)}`

/** Registers the list of a kind of record. */
export function serveList<Query extends TObject>(
  app: App,
  kind: Followed,
  operation: Operation<Query> & {
    query: Query
    select: (context: ServedContext, query: Static<Query>) => ListSelection<ServedContext>
  },
): void {
  const { tags, query, select } = operation
  const { plural } = kinds[kind]
  app.get(
    `/${plural}`,
    {
      config: configOf(kind, operation),
      schema: {
        operationId: `list${operation.staff ? 'Staff' : ''}${pascalCase(plural)}`,
        summary: `List ${plural.replaceAll('_', ' ')}`,
        tags,
        querystring: query,
        response: { 200: collection(shapeOf(kind, operation)) },
      },
    },
    async (request, reply) => {
      const selection = select(contextOf(request), request.query as Static<Query>)
      return sendPage(request, reply, await readPage(selection, pagingOf(request)))
    },
  )
}

/** Registers the read of one record of a kind. `one` names it in the summary: `an auction`. */
export function serveRecord<Query extends TObject>(
  app: App,
  kind: Followed,
  operation: Operation<Query> & {
    one: string
    select: (context: ServedContext, uuid: string, query: Static<Query>) => Selection<ServedContext>
  },
): void {
  const { tags, one, query, select } = operation
  const shape = shapeOf(kind, operation)
  app.get(
    `/${kinds[kind].plural}/:id`,
    {
      config: configOf(kind, operation),
      schema: {
        operationId: `get${shape}`,
        summary: `Read ${one}`,
        tags,
        params: IdParameters,
        ...(query && { querystring: query }),
        response: { 200: single(shape) },
      },
    },
    async (request, reply) => {
      const selection = select(contextOf(request), pathId(kind, request.params.id), request.query as Static<Query>)
      return sendAnswer(request, reply, await readRecord(selection, conditionOf(request)))
    },
  )
}
