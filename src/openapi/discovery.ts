import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { allPermissions, resultsModes, type Permission, type ResultsMode, type ServedHouse } from '../context.ts'
import type { Credentials } from '../http/access/authentication.ts'
import { limitOfKey } from '../http/access/rate-limit.ts'
import '../http/types.ts'
import { followedKinds, kinds } from '../kinds.ts'
import { staffPrefix } from './interfaces.ts'
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

const StaffHouse = Type.Object(
  {
    ...House.properties,
    results: Type.Unsafe<ResultsMode>({
      type: 'string',
      enum: [...resultsModes],
      description:
        'Who records the results of a new session, unless it says otherwise: a job after each close, or staff.',
    }),
  },
  { $id: 'StaffHouse', description: 'The house of the key, as its staff see it.' },
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

const staffResources = ['sessions', 'lots', 'items', 'journal'] as const

/** The discovery document of the staff interface. */
export const StaffDiscovery = Type.Object(
  {
    house: StaffHouse,
    key: ApiKey,
    resources: Type.Object(
      { sessions: uri, lots: uri, items: uri, journal: uri },
      { description: 'The lists of this interface. All others are in the catalogue interface.' },
    ),
  },
  { $id: 'StaffDiscovery' },
)

type Limits = { rateLimitPerMinute: number }

const showHouse = (house: ServedHouse) => ({
  name: house.name,
  locale: house.defaultLocale,
  currency: house.currency,
  time_zone: house.timeZone,
})

const showKey = (key: Credentials, { rateLimitPerMinute }: Limits) => ({
  name: key.name,
  permissions: allPermissions.filter((permission) => key.permissions.includes(permission)),
  rate_limit: limitOfKey(key, rateLimitPerMinute),
  require_if_match: key.requiresIfMatch,
})

/** `GET /api/v2` and `/api/v2/`, for any valid key. `rateLimitPerMinute`: of keys that have no limit of their own. */
export const discoveryRoutes: FastifyPluginAsyncTypebox<Limits> = async (app, options) => {
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
      const document = {
        name: 'Auction catalogue',
        version: '2',
        documentation: `${publicUrl}/docs`,
        openapi: `${base}/openapi.json`,
        house: showHouse(credentials.house),
        key: showKey(credentials, options),
        resources: addresses,
        changes: `${base}/changes`,
        search: { lots: `${base}/lots/search`, items: `${base}/items/search` },
      }
      return reply.type('application/json').send(JSON.stringify(document))
    },
  )
}

/** `GET /staff/v1` and `/staff/v1/`, for staff. */
export const staffDiscoveryRoutes: FastifyPluginAsyncTypebox<Limits> = async (app, options) => {
  const base = `${app.site.publicUrl}${staffPrefix}`
  const resources = Object.fromEntries(staffResources.map((name) => [name, `${base}/${name}`]))
  app.get(
    '/',
    {
      prefixTrailingSlash: 'both',
      config: { permissions: ['staff'] },
      schema: {
        operationId: 'discoverStaff',
        summary: 'What staff of the house may read and do',
        tags: ['Discovery'],
        response: { 200: Type.Ref('StaffDiscovery') },
      },
    },
    ({ credentials }, reply) => {
      const house = { ...showHouse(credentials.house), results: credentials.house.defaults.results }
      const document = { house, key: showKey(credentials, options), resources }
      return reply.type('application/json').send(JSON.stringify(document))
    },
  )
}
