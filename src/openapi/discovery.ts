import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import '../http/types.ts'
import { followedKinds, kinds } from '../kinds.ts'

const resources = followedKinds.map((kind) => kinds[kind].plural)

const uri = Type.String({ format: 'uri' })

/** The discovery document (section 4.1). */
export const Discovery = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    documentation: uri,
    openapi: uri,
    resources: Type.Object(Object.fromEntries(resources.map((name) => [name, uri]))),
  },
  { $id: 'Discovery' },
)

/** `GET /api/v2` and `/api/v2/`, for any valid key. */
export const discoveryRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { publicUrl } = app.site
  const base = `${publicUrl}/api/v2`
  const text = JSON.stringify({
    name: 'Auction catalogue',
    version: '2',
    documentation: `${publicUrl}/docs`,
    openapi: `${base}/openapi.json`,
    resources: Object.fromEntries(resources.map((name) => [name, `${base}/${name}`])),
  })
  app.get(
    '/',
    {
      prefixTrailingSlash: 'both',
      schema: {
        operationId: 'discover',
        summary: 'What the service holds',
        tags: ['Discovery'],
        response: { 200: Type.Ref('Discovery') },
      },
    },
    (_request, reply) => reply.type('application/json').send(text),
  )
}
