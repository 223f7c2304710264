import { Type } from 'typebox'
import { booleanFilter, expansions, idFilter, pageParameters, textFilter } from '../http/query.ts'
import { Id, Nullable, recordTimes, Timestamp } from '../values/shapes.ts'

const seconds = Type.Integer({ minimum: 0, description: 'Seconds.' })

/** Sections 2.9 and 3. Only the block of the session's kind is present. */
export const Session = Type.Object(
  {
    id: Id('session'),
    auction: Type.Union([Id('auction'), Type.Ref('Auction')]),
    title: Nullable(Type.String()),
    external_reference: Nullable(Type.String()),
    kind: Type.Unsafe<'timed' | 'live'>({ type: 'string', enum: ['timed', 'live'] }),
    opens_at: Nullable(Timestamp),
    timed: Type.Optional(
      Type.Object({
        first_closes_at: Nullable(Timestamp),
        group_size: Nullable(Type.Integer()),
        interval_seconds: Nullable(Type.Integer()),
        extension_threshold_seconds: seconds,
        extension_seconds: seconds,
      }),
    ),
    live: Type.Optional(Type.Object({ closes_at: Nullable(Timestamp) })),
    settings: Type.Object({ buyer_premium_percentage: Type.String({ pattern: '^\\d{1,3}(\\.\\d{1,4})?$' }) }),
    increment_strategy: Nullable(Id('increment_strategy')),
    published: Type.Boolean({ description: 'What the public sees: publication flag on, and not hidden.' }),
    finished: Type.Boolean(),
    customer_bidding_enabled: Type.Boolean(),
    ...recordTimes,
  },
  { $id: 'Session' },
)

export const SessionQuery = Type.Object(expansions('auction'))

export const SessionListQuery = Type.Object({
  ...pageParameters,
  published: booleanFilter('Only sessions that the public sees, or only those it does not.'),
  external_reference: textFilter('The session with exactly this reference.'),
  auction: idFilter('auction', 'Only the sessions of this auction.'),
  ...expansions('auction'),
})
