/** The prefix of each kind of record (section 2.1). */
export const idPrefixes = {
  auction: 'auc',
  session: 'ses',
  lot: 'lot',
  item: 'itm',
  image: 'img',
  seller: 'sel',
  category: 'cat',
  maker: 'mkr',
  delivery_class: 'dlc',
  increment_strategy: 'inc',
  consignment: 'con',
} as const

/** A kind of record that has a public identifier. */
export type RecordKind = keyof typeof idPrefixes

const uuidText = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const uuidPattern = new RegExp(`^${uuidText}$`)

/** The pattern that requests accept for an id of this kind: prefixed, or the bare UUID in any letter case. */
export function idPattern(kind: RecordKind): string {
  return `^(${idPrefixes[kind]}_)?${uuidText}$`
}

/** What a text that does not match a pattern must be, for a message. */
export function describePattern(pattern: string): string {
  const prefix = /^\^\((\w{3}_)\)\?/.exec(pattern)?.[1]
  return prefix === undefined ? `must match ${pattern}` : `must be ${prefix} and a UUID, or the UUID alone`
}

/** `lot_<uuid>`, as in responses. */
export function printId(kind: RecordKind, uuid: string): string {
  return `${idPrefixes[kind]}_${uuid}`
}

/** The lower-case UUID of a prefixed or bare id; undefined if it is malformed or of another kind. */
export function parseId(kind: RecordKind, text: string): string | undefined {
  const prefix = `${idPrefixes[kind]}_`
  const uuid = text.startsWith(prefix) ? text.slice(prefix.length) : text
  return uuidPattern.test(uuid) ? uuid.toLowerCase() : undefined
}

/**
 * Stands for a missing public UUID. So such a record has a place in every order, and is reported, never skipped. The
 * indexes of lists contain it. The migrations write it as :'last_uuid'.
 */
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
