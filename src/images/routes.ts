import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf, pathId, sendPage, sendRecord } from '../http/pages.ts'
import { collection, single } from '../values/shapes.ts'
import { printManagedImage } from './addresses.ts'
import { listImages, readImage } from './queries.ts'
import { ImageListQuery, ImageParameters, ItemParameters } from './schema.ts'

const tags = ['Images']

/** Section 4.8. */
export const imageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { media } = app.site
  app.get(
    '/items/:item_id/images',
    {
      config: { permissions: ['lots.read'] },
      schema: {
        operationId: 'listImages',
        summary: 'List the images of an item, private and processing ones included',
        tags,
        params: ItemParameters,
        querystring: ImageListQuery,
        response: { 200: collection('ManagedImage') },
      },
    },
    (request, reply) =>
      sendPage(request, reply, async (context, page) => {
        const found = await listImages(context, pathId('item', request.params.item_id), request.query, page)
        return {
          ...found,
          documents: await Promise.all(found.documents.map((each) => printManagedImage(media, each, context.now))),
        }
      }),
  )
  app.get(
    '/items/:item_id/images/:id',
    {
      config: { permissions: ['lots.read'] },
      schema: {
        operationId: 'getImage',
        summary: 'Read an image of an item',
        tags,
        params: ImageParameters,
        response: { 200: single('ManagedImage') },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const { item_id, id } = request.params
      const document = await readImage(context, pathId('item', item_id), pathId('image', id))
      return sendRecord(reply, await printManagedImage(media, document, context.now))
    },
  )
}
