import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { allPermissions, type Permission } from '../context.ts'
import { limitOfKey } from '../http/access/rate-limit.ts'
import '../http/types.ts'
import { followedKinds, kinds } from '../kinds.ts'
import { LocaleName, Nullable } from '../values/shapes.ts'

const resources = followedKinds.map((kind) => kinds[kind].plural)

const uri = Type.String({ format: 'uri' })

const House = Type.Object(
  {
    name: Type.String(),
    locale: LocaleName,
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    time_zone: Nullable(Type.String({ description: 'An IANA name, such as `Europe/Amsterdam`.' })),
  },
  { $id: 'House', description: 'The house of the key.' },
)

const ApiKey = Type.Object(
  {
    name: Nullable(Type.String({ description: 'What the key is for.' })),
    permissions: Type.Array(Type.Unsafe<Permission>({ type: 'string', enum: [...allPermissions] }), {
      description: 'In the order of section 5. More may come.',
    }),
    rate_limit: Type.Integer({ minimum: 0, description: 'The requests that it may make a minute; 0: no limit.' }),
    require_if_match: Type.Boolean({ description: 'Whether a change of a record needs `If-Match`.' }),
  },
  { $id: 'ApiKey', description: 'The key that asks.' },
)

/** The discovery document (section 4.1). */
export const Discovery = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    documentation: uri,
    openapi: uri,
    house: House,
    key: ApiKey,
    resources: Type.Object(Object.fromEntries(resources.map((name) => [name, uri]))),
    changes: Type.String({ format: 'uri', description: 'The feed of changes.' }),
    search: Type.Object({ lots: uri, items: uri }),
  },
  { $id: 'Discovery' },
)

/** `GET /api/v2` and `/api/v2/`, for any valid key. `rateLimitPerMinute`: of keys that have no limit of their own. */
export const discoveryRoutes: FastifyPluginAsyncTypebox<{ rateLimitPerMinute: number }> = async (app, options) => {
  const { publicUrl } = app.site
  const base = `${publicUrl}/api/v2`
  const addresses = Object.fromEntries(resources.map((name) => [name, `${base}/${name}`]))
  app.get(
    '/',
    {
      prefixTrailingSlash: 'both',
      schema: {
        operationId: 'discover',
        summary: 'What the service holds, and what the key may do',
        tags: ['Discovery'],
        response: { 200: Type.Ref('Discovery') },
      },
    },
    ({ credentials }, reply) => {
      const { house, ...key } = credentials
      const document = {
        name: 'Auction catalogue',
        version: '2',
        documentation: `${publicUrl}/docs`,
        openapi: `${base}/openapi.json`,
        house: {
          name: house.name,
          locale: house.defaultLocale,
          currency: house.currency,
          time_zone: house.timeZone,
        },
        key: {
          name: key.name,
          permissions: allPermissions.filter((permission) => key.permissions.includes(permission)),
          rate_limit: limitOfKey(key, options.rateLimitPerMinute),
          require_if_match: key.requiresIfMatch,
        },
        resources: addresses,
        changes: `${base}/changes`,
        search: { lots: `${base}/lots/search`, items: `${base}/items/search` },
      }
      return reply.type('application/json').send(JSON.stringify(document))
    },
  )
}
