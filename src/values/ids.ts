import { isRecordKind, kinds, type RecordKind } from '../kinds.ts'

const uuidText = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const uuidPattern = new RegExp(`^${uuidText}$`)

/** The pattern of an id without a prefix. */
export const bareUuid = uuidPattern.source

/** The pattern that requests accept for an id of this kind: prefixed, or the bare UUID in any letter case. */
export function idPattern(kind: RecordKind): string {
  return `^(${kinds[kind].prefix}_)?${uuidText}$`
}

/** Whether it is the pattern of the ids of one kind. */
export const isIdPattern = (pattern: string): boolean => /^\^\(\w{3}_\)\?/.test(pattern)

/** Describes a pattern in the message for a text that does not match it. */
export function describePattern(pattern: string): string {
  const prefix = /^\^\((\w{3}_)\)\?/.exec(pattern)?.[1]
  return prefix === undefined ? `must match ${pattern}` : `must be ${prefix} and a UUID, or the UUID alone`
}

/** A kind of record whose ids have a prefix. Only staff see the ids of bids. */
export type PrefixedKind = RecordKind | 'bid'

const prefixOf = (kind: PrefixedKind) => `${kind === 'bid' ? kind : kinds[kind].prefix}_`

/** `lot_<uuid>`, as in responses. */
export function printId(kind: PrefixedKind, uuid: string): string {
  return `${prefixOf(kind)}${uuid}`
}

/** The lower-case UUID of a prefixed or bare id; undefined if it is malformed or of another kind. */
export function parseId(kind: PrefixedKind, text: string): string | undefined {
  const prefix = prefixOf(kind)
  const uuid = text.startsWith(prefix) ? text.slice(prefix.length) : text
  return uuidPattern.test(uuid) ? uuid.toLowerCase() : undefined
}

/** The lower-case UUID of a record's id in a file; houses and bids have no prefix there. Undefined if it is malformed. */
export function parsePublicId(type: string, text: string): string | undefined {
  if (isRecordKind(type)) return parseId(type, text)
  return uuidPattern.test(text) ? text.toLowerCase() : undefined
}

/**
 * Stands for a missing public UUID. So such a record has a place in every order, and is reported, never skipped. The
 * indexes of lists contain it. Migrations write it as :'last_uuid'.
 */
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
