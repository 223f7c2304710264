import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { conditionOf } from '../reads/conditional.ts'
import { pagingOf, readPage, sendPage } from '../reads/page.ts'
import { readRecord, sendAnswer } from '../reads/record.ts'
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
    async (request, reply) => {
      const page = await readPage(selectCategories(contextOf(request), request.query), pagingOf(request))
      return sendPage(request, reply, page)
    },
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
    async (request, reply) => {
      const record = await readRecord(
        selectCategory(contextOf(request), pathId('category', request.params.id)),
        conditionOf(request),
      )
      return sendAnswer(request, reply, record)
    },
  )
}
