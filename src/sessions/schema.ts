import { Type, type Static } from 'typebox'
import type { Permission } from '../context.ts'
import { booleanFilter, expansions, idFilter, pageParameters, textFilter } from '../http/query.ts'
import { resultsModes, type ResultsMode } from '../context.ts'
import { idPattern } from '../values/ids.ts'
import { Id, Nullable, recordTimes, Timestamp } from '../values/shapes.ts'
import { int32 } from '../values/bounds.ts'

const seconds = Type.Integer({ description: 'Seconds.' })

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** The numbers of a session's lots that are not archived, with `expand[]=counts` (section 2.9). */
export const SessionCounts = Type.Object(
  {
    lots: count('All lots.'),
    active: count('Active lots.'),
    with_bids: count('Lots with a current bid.'),
    extended: count('Lots whose closing time was extended.'),
    sold: count('Lots with the result sold.'),
    unsold: count('Lots with the result unsold.'),
    withdrawn: count('Lots with the result withdrawn.'),
    without_result: count('Lots without a result.'),
    without_images: count('Lots whose item has no public image.'),
    images_processing: count('Images of their items that are being processed, private ones too.'),
    images_failed: count('Images of their items whose processing failed, private ones too.'),
  },
  { $id: 'SessionCounts' },
)

const common = {
  id: Id('session'),
  auction: Type.Union([Id('auction'), Type.Ref('Auction')]),
  title: Nullable(Type.String()),
  external_reference: Nullable(Type.String()),
  opens_at: Nullable(Timestamp),
  settings: Type.Object({ buyer_premium_percentage: Type.String({ pattern: '^\\d{1,3}(\\.\\d{1,4})?$' }) }),
  increment_strategy: Nullable(Id('increment_strategy')),
  published: Type.Boolean({ description: 'Whether the public sees the session: it is published and not hidden.' }),
  finished: Type.Boolean(),
  customer_bidding_enabled: Type.Boolean(),
  ...recordTimes,
  counts: Type.Optional(Type.Ref('SessionCounts')),
}
const kindOf = <Kind extends string>(kind: Kind) => Type.Unsafe<Kind>({ type: 'string', enum: [kind] })

// What only staff see of a session.
const staff = Type.Object({
  results: Type.Unsafe<ResultsMode>({
    type: 'string',
    enum: [...resultsModes],
    description: 'Who records the results: a job after each close, or staff.',
  }),
  numbers_fixed: Type.Boolean({ description: 'The list is printed: the numbers of the lots no longer change.' }),
})

/** Each lot closes at its own time. */
export const TimedSession = Type.Object(
  {
    ...common,
    kind: kindOf('timed'),
    timed: Type.Object({
      first_closes_at: Nullable(Timestamp),
      group_size: Nullable(Type.Integer()),
      interval_seconds: Nullable(Type.Integer()),
      extension_threshold_seconds: seconds,
      extension_seconds: seconds,
    }),
  },
  { $id: 'TimedSession' },
)

/** All lots close for online bids at the same time. */
export const LiveSession = Type.Object(
  { ...common, kind: kindOf('live'), live: Type.Object({ closes_at: Nullable(Timestamp) }) },
  { $id: 'LiveSession' },
)

/** A session (sections 2.9 and 3). Only the block of the session's kind is present. */
export const Session = Type.Unsafe<Static<typeof TimedSession> | Static<typeof LiveSession>>({
  $id: 'Session',
  oneOf: [Type.Ref('TimedSession'), Type.Ref('LiveSession')],
  discriminator: {
    propertyName: 'kind',
    mapping: { timed: '#/components/schemas/TimedSession', live: '#/components/schemas/LiveSession' },
  },
})

/** A timed session as staff see it. */
export const StaffTimedSession = Type.Object({ ...TimedSession.properties, staff }, { $id: 'StaffTimedSession' })

/** A live session as staff see it. */
export const StaffLiveSession = Type.Object({ ...LiveSession.properties, staff }, { $id: 'StaffLiveSession' })

/** A session as staff see it. */
export const StaffSession = Type.Unsafe<Static<typeof StaffTimedSession> | Static<typeof StaffLiveSession>>({
  $id: 'StaffSession',
  oneOf: [Type.Ref('StaffTimedSession'), Type.Ref('StaffLiveSession')],
  discriminator: {
    propertyName: 'kind',
    mapping: { timed: '#/components/schemas/StaffTimedSession', live: '#/components/schemas/StaffLiveSession' },
  },
})

export const SessionQuery = Type.Object(expansions('auction', 'counts'))

export const SessionWriteQuery = Type.Object(expansions('auction'))

export const SessionListQuery = Type.Object({
  ...pageParameters,
  published: booleanFilter('Only sessions that the public sees, or only those it does not.'),
  external_reference: textFilter('The session with exactly this reference.'),
  auction: idFilter('auction', 'Only the sessions of this auction.'),
  ...expansions('auction', 'counts'),
})

const title = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' })
const instant = Type.String({
  format: 'date-time',
  description: 'With an explicit offset; truncated to whole seconds.',
})
const positiveRange = { minimum: 1, maximum: int32.maximum }
const extensionRange = { minimum: 0, maximum: 86400 }
const positive = Type.Integer(positiveRange)
const extension = Type.Integer({ ...extensionRange, description: 'Seconds.' })

/** The ranges of a new or changed session. Sessions from older systems may have any value. */
export const timingRanges = {
  group_size: positiveRange,
  interval_seconds: positiveRange,
  extension_threshold_seconds: extensionRange,
  extension_seconds: extensionRange,
}
const settings = Type.Object(
  {
    buyer_premium_percentage: Type.Optional(
      Type.String({ format: 'percentage', description: 'From "0" to "100", at most four decimals.' }),
    ),
  },
  { additionalProperties: false },
)
const extensions = {
  extension_threshold_seconds: Type.Optional(extension),
  extension_seconds: Type.Optional(extension),
}
const live = Type.Object({ closes_at: instant }, { additionalProperties: false })

const created = {
  auction: Type.String({ pattern: idPattern('auction') }),
  title,
  external_reference: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  opens_at: instant,
  settings: Type.Optional(settings),
  increment_strategy: Type.Optional(Type.String({ pattern: idPattern('increment_strategy') })),
}
const timed = Type.Object(
  {
    first_closes_at: instant,
    group_size: Type.Optional(positive),
    interval_seconds: Type.Optional(positive),
    ...extensions,
  },
  { additionalProperties: false },
)

/** The body of `POST /sessions`. A rule checks that it has exactly one of timed and live. */
export const SessionCreate = Type.Object(
  { ...created, timed: Type.Optional(timed), live: Type.Optional(live) },
  { additionalProperties: false },
)

export const TimedSessionCreate = Type.Object(
  { ...created, timed },
  { $id: 'TimedSessionCreate', additionalProperties: false },
)

export const LiveSessionCreate = Type.Object(
  { ...created, live },
  { $id: 'LiveSessionCreate', additionalProperties: false },
)

/** The same body for the OpenAPI document. It has no `kind`: the block tells the kind. */
export const SessionCreateForm = Type.Unsafe<unknown>({
  $id: 'SessionCreate',
  oneOf: [TimedSessionCreate, LiveSessionCreate],
})

/** What staff change of a session that may have lots. Each field changes alone. A rule checks the times together. */
export const SessionTerms = Type.Object(
  {
    title: Type.Optional(title),
    settings: Type.Optional(settings),
    increment_strategy: Type.Optional(Type.String({ pattern: idPattern('increment_strategy') })),
    opens_at: Type.Optional(instant),
    timed: Type.Optional(Type.Partial(timed, { additionalProperties: false })),
    live: Type.Optional(live),
  },
  { additionalProperties: false },
)

const written = (shape: string) =>
  Type.Object(
    {
      data: Type.Ref(shape),
      warnings: Type.Optional(
        Type.Array(
          Type.Object({
            code: Type.Unsafe<'past'>({ type: 'string', enum: ['past'] }),
            field: Type.String({ description: 'A dotted path.' }),
          }),
          {
            description:
              'Only in a rehearsal: times of the body that have passed, or of the session that is published.',
          },
        ),
      ),
    },
    { $id: `${shape}Written` },
  )

/** The answer to a write of a session. */
export const SessionWritten = written('Session')

/** The answer to a write of a session by staff. */
export const StaffSessionWritten = written('StaffSession')

/** The body of `PATCH /sessions/{id}`. Timing changes as a whole: `opens_at` with the block of the session's kind. */
export const SessionUpdate = Type.Object(
  {
    title: Type.Optional(title),
    settings: Type.Optional(settings),
    opens_at: Type.Optional(instant),
    timed: Type.Optional(
      Type.Object(
        { first_closes_at: instant, group_size: positive, interval_seconds: positive, ...extensions },
        { additionalProperties: false },
      ),
    ),
    live: Type.Optional(live),
  },
  { $id: 'SessionUpdate', additionalProperties: false },
)

/** The permissions that a body needs beyond those of the write. */
export const permissionsOf = ({ increment_strategy }: { increment_strategy?: unknown }): Permission[] =>
  increment_strategy === undefined ? [] : ['bidding_step_configurations.read']
