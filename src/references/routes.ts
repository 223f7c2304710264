import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { conditionOf } from '../reads/conditional.ts'
import { pagingOf, readPage, sendPage } from '../reads/page.ts'
import { readRecord, sendAnswer } from '../reads/record.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { selectConsignments, selectNamed, selectReference } from './queries.ts'
import { ConsignmentListQuery, NamedListQuery } from './schema.ts'

const resources = [
  { kind: 'maker', path: '/makers', shape: 'Maker', plural: 'Makers', permission: 'lots.read' },
  {
    kind: 'delivery_class',
    path: '/delivery_classes',
    shape: 'DeliveryClass',
    plural: 'DeliveryClasses',
    permission: 'lots.read',
  },
  {
    kind: 'increment_strategy',
    path: '/increment_strategies',
    shape: 'IncrementStrategy',
    plural: 'IncrementStrategies',
    permission: 'bidding_step_configurations.read',
  },
  {
    kind: 'consignment',
    path: '/consignments',
    shape: 'Consignment',
    plural: 'Consignments',
    permission: 'seller_profiles.read',
  },
] as const

const tags = ['Reference records']

/** Section 4.7: makers, delivery classes, increment strategies and consignments, read-only. */
export const referenceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const { kind, path, shape, plural, permission } of resources) {
    const config = { permissions: [permission] } as const
    const words = plural.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
    const response = { 200: collection(shape) }
    const list = { operationId: `list${plural}`, summary: `List ${words}`, tags, response }
    if (kind === 'consignment') {
      app.get(path, { config, schema: { ...list, querystring: ConsignmentListQuery } }, async (request, reply) => {
        const page = await readPage(selectConsignments(contextOf(request), request.query), pagingOf(request))
        return sendPage(request, reply, page)
      })
    } else {
      app.get(path, { config, schema: { ...list, querystring: NamedListQuery } }, async (request, reply) => {
        const page = await readPage(selectNamed(contextOf(request), kind, request.query), pagingOf(request))
        return sendPage(request, reply, page)
      })
    }
    app.get(
      `${path}/:id`,
      {
        config,
        schema: {
          operationId: `get${shape}`,
          summary: `Read one of the ${words}`,
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
