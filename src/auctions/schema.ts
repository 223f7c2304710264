import { Type } from 'typebox'
import { booleanFilter, expansions, pageParameters, textFilter } from '../http/query.ts'
import { longBytes } from '../values/bounds.ts'
import { Id, Nullable, recordTimes } from '../values/shapes.ts'

/** An auction (section 2.8). */
export const Auction = Type.Object(
  {
    id: Id('auction'),
    title: Type.String(),
    description: Nullable(Type.String()),
    slug: Type.String(),
    external_reference: Nullable(Type.String()),
    published: Type.Boolean(),
    sessions: Type.Union([Type.Array(Id('session')), Type.Array(Type.Ref('Session'))], {
      description: 'In the order in which the sittings open.',
    }),
    ...recordTimes,
  },
  { $id: 'Auction' },
)

export const AuctionQuery = Type.Object(expansions('sessions'))

export const AuctionListQuery = Type.Object({
  ...pageParameters,
  published: booleanFilter('Only published auctions, or only drafts.'),
  external_reference: textFilter('The auction with exactly this reference.'),
  ...expansions('sessions'),
})

const title = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })

/** The maximal number of UTF-8 bytes of a description. */
export const descriptionBytes = longBytes

/** The body of `POST /auctions`. */
export const AuctionCreate = Type.Object(
  {
    title,
    external_reference: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
    description: Type.Optional(
      Nullable(
        Type.String({ 'x-max-bytes': descriptionBytes, description: `At most ${descriptionBytes} UTF-8 bytes.` }),
      ),
    ),
  },
  { $id: 'AuctionCreate', additionalProperties: false },
)

/** The body of `PATCH /auctions/{id}`. */
export const AuctionUpdate = Type.Object(
  {
    title: Type.Optional(title),
    description: Type.Optional(
      Nullable(Type.String({ description: `At most ${descriptionBytes} UTF-8 bytes, or no more than are stored.` })),
    ),
  },
  { $id: 'AuctionUpdate', additionalProperties: false },
)
