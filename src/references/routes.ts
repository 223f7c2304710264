import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { kinds } from '../kinds.ts'
import { serveList, serveRecord } from '../reads/operations.ts'
import { referenceKinds, type ReferenceKind } from './document.ts'
import { selectReference, selectReferences } from './queries.ts'
import { listQueries } from './schema.ts'

// These kinds have a group of their own in the documentation.
const groups: { [Kind in ReferenceKind]?: string } = { seller: 'Sellers', category: 'Categories' }

/** Sections 4.5 to 4.7: sellers, categories, makers, delivery classes, increment strategies and consignments, read-only. */
export const referenceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const kind of referenceKinds) {
    const group = groups[kind]
    const tags = [group ?? 'Reference records']
    serveList(app, kind, {
      tags,
      query: listQueries[kind],
      select: (context, query) => selectReferences(context, kind, query),
    })
    serveRecord(app, kind, {
      tags,
      one: group === undefined ? `one of the ${kinds[kind].plural.replaceAll('_', ' ')}` : `a ${kind}`,
      select: (context, uuid) => selectReference(context, kind, uuid),
    })
  }
}
