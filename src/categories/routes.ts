import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { pathId } from '../request/path.ts'
import { sendPage } from '../response/page.ts'
import { sendRecord } from '../response/record.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { selectCategory, selectCategories } from './queries.ts'
import { CategoryListQuery } from './schema.ts'

const tags = ['Categories']
const config = { permissions: ['categories.read'] } as const

/** Section 4.6. */
export const categoryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/categories',
    {
      config,
      schema: {
        operationId: 'listCategories',
        summary: 'List categories',
        tags,
        querystring: CategoryListQuery,
        response: { 200: collection('Category') },
      },
    },
    (request, reply) => sendPage(request, reply, (context) => selectCategories(context, request.query)),
  )
  app.get(
    '/categories/:id',
    {
      config,
      schema: {
        operationId: 'getCategory',
        summary: 'Read a category',
        tags,
        params: IdParameters,
        response: { 200: single('Category') },
      },
    },
    (request, reply) =>
      sendRecord(request, reply, (context) => selectCategory(context, pathId('category', request.params.id))),
  )
}
