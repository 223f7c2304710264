import { Type } from 'typebox'
import { followedKinds, usualKinds, type Followed } from '../kinds.ts'
import { expansions, pageParameters } from '../http/query.ts'
import { Nullable, Timestamp } from '../values/shapes.ts'
import { pascalCase } from '../values/text.ts'

const Kind = Type.Unsafe<Followed>({ type: 'string', enum: followedKinds })

const types = Type.Optional(
  Type.Array(Kind, {
    description:
      'The types of record to follow. Each needs the permission of its own reads. Left out: all that the key may read, without images.',
  }),
)

export const ChangesQuery = Type.Object({
  'types[]': types,
  limit: pageParameters.limit,
  after: Type.Optional(
    Type.String({ description: 'next_cursor of the answer before, of the same types. Left out: from the beginning.' }),
  ),
  ...expansions('record'),
})

export const FingerprintQuery = Type.Object({ 'types[]': types })

export const ChangesHeaders = Type.Object({
  Prefer: Type.Optional(
    Type.String({
      description:
        '`wait=N` (RFC 7240): an answer without changes waits until there is one, for at most N seconds, from 1 to 60.',
    }),
  ),
})

const version = 'Opaque. It differs whenever the document of the record without expand[] differs.'

/** A row of the feed: a record at the place of its latest change. */
export const Change = Type.Object(
  {
    type: Kind,
    id: Nullable(Type.String({ description: 'Null on a legacy record without an id.' })),
    item: Type.Optional(Nullable(Type.String({ description: 'On every row of an image: its item.' }))),
    version: Nullable(Type.String({ description: `${version} Null when deleted.` })),
    deleted: Type.Boolean({ description: 'The record is archived, or otherwise not readable at its path any more.' }),
    changed_at: Nullable({ ...Timestamp, description: 'The updated_at of the record. Null on a deleted image.' }),
    integrity: Type.Optional(
      Type.Literal(true, {
        description: 'The record cannot be shown truthfully. A read of it is integrity-unavailable.',
      }),
    ),
    record: Type.Optional(
      Type.Union([...usualKinds.map((kind) => Type.Ref(pascalCase(kind))), Type.Ref('ManagedImage'), Type.Null()], {
        description: 'With expand[]=record: the present record, as a read without expand[] returns it.',
      }),
    ),
  },
  { $id: 'Change' },
)

/** The answer of `GET /changes`. */
export const Changes = Type.Object(
  {
    data: Type.Array(Type.Ref('Change')),
    has_more: Type.Boolean(),
    next_cursor: Type.String({ description: 'Where to go on, also at the end.' }),
  },
  { $id: 'ChangePage' },
)

/** The answer of `GET /changes/fingerprint`. */
export const Fingerprint = Type.Object(
  {
    cursor: Type.String({ description: 'How far the feed had come.' }),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'The readable records of each type.' }),
    fingerprint: Type.String({
      pattern: '^[0-9a-f]{32}$',
      description:
        'The sum modulo 2^128 of the first 16 bytes of SHA-256 over `type`, a space, `id`, a space and `version`, over all readable records.',
    }),
  },
  { $id: 'Fingerprint' },
)
