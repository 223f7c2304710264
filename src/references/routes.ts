import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { kinds } from '../kinds.ts'
import { conditionOf } from '../reads/conditional.ts'
import { pagingOf, readPage, sendPage } from '../reads/page.ts'
import { readRecord, sendAnswer } from '../reads/record.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { pascalCase } from '../values/text.ts'
import { referenceKinds, type ReferenceKind } from './document.ts'
import { selectReference, selectReferences } from './queries.ts'
import { listQueries } from './schema.ts'

// Those that have a group of their own in the documentation.
const groups: { [Kind in ReferenceKind]?: string } = { seller: 'Sellers', category: 'Categories' }

/** Sections 4.5 to 4.7: sellers, categories, makers, delivery classes, increment strategies and consignments, read-only. */
export const referenceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const kind of referenceKinds) {
    const { plural, permission } = kinds[kind]
    const config = { permissions: [permission] } as const
    const shape = pascalCase(kind)
    const words = plural.replaceAll('_', ' ')
    const group = groups[kind]
    const tags = [group ?? 'Reference records']
    app.get(
      `/${plural}`,
      {
        config,
        schema: {
          operationId: `list${pascalCase(plural)}`,
          summary: `List ${words}`,
          tags,
          querystring: listQueries[kind],
          response: { 200: collection(shape) },
        },
      },
      async (request, reply) => {
        const page = await readPage(selectReferences(contextOf(request), kind, request.query), pagingOf(request))
        return sendPage(request, reply, page)
      },
    )
    app.get(
      `/${plural}/:id`,
      {
        config,
        schema: {
          operationId: `get${shape}`,
          summary: group === undefined ? `Read one of the ${words}` : `Read a ${kind}`,
          tags,
          params: IdParameters,
          response: { 200: single(shape) },
        },
      },
      async (request, reply) => {
        const record = await readRecord(
          selectReference(contextOf(request), kind, pathId(kind, request.params.id)),
          conditionOf(request),
        )
        return sendAnswer(request, reply, record)
      },
    )
  }
}
