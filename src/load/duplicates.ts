import type { Scope } from '../context.ts'
import { allKinds, type Kind } from '../kinds.ts'
import type { Batch, Line } from './batch.ts'
import { quote } from './errors.ts'
import { findBy, findByNumber, findRefs } from './statements.ts'

type Rule<Type extends Kind> = {
  lines: Line<Type>[]
  field: string
  /** The value of a line; undefined where the rule does not apply. */
  key: (line: Line<Type>) => string | undefined
  /** The internal ids of stored records that have one of these values, by the value. */
  stored: (tx: Scope, keys: string[]) => Promise<Map<string, string>>
  problem: (line: Line<Type>) => string
}

async function note<Type extends Kind>(batch: Batch, tx: Scope | undefined, rule: Rule<Type>) {
  const keys = new Map(rule.lines.map((line) => [line, rule.key(line)]))
  const given = [...new Set(keys.values())].filter((key) => key !== undefined)
  const owners = tx && given.length > 0 ? await rule.stored(tx, given) : new Map<string, string>()
  for (const [line, key] of keys) {
    if (key === undefined) continue
    const owner = owners.get(key)
    if (owner === undefined) owners.set(key, line.id)
    else if (owner !== line.id) batch.note(line, rule.field, rule.problem(line))
  }
}

/**
 * Records a problem for every line that repeats a ref of the file, an id (images may), an external reference of an
 * auction, a session or an item, the slug of an auction, or the number of an unarchived lot of its session. Without a
 * transaction it only compares the lines of the batch.
 */
export async function noteDuplicates(batch: Batch, tx?: Scope) {
  await note(batch, tx, {
    lines: batch.lines,
    field: 'ref',
    key: (line) => line.record.ref,
    stored: findRefOwners,
    problem: (line) => `an earlier line has the ref ${quote(line.record.ref!)} already`,
  })
  for (const type of allKinds) {
    if (type === 'image') continue
    await note(batch, tx, {
      lines: batch.of(type),
      field: 'id',
      key: (line) => (line.record.id == null ? undefined : line.publicId!),
      stored: (tx, uuids) => findBy(tx, type, 'public_id', uuids),
      problem: (line) => `the house has a ${type.replaceAll('_', ' ')} with the id ${quote(line.record.id!)} already`,
    })
  }
  for (const type of ['auction', 'session', 'item'] as const) {
    await note(batch, tx, {
      lines: batch.of(type),
      field: 'external_reference',
      key: (line) => line.record.external_reference ?? undefined,
      stored: (tx, references) => findBy(tx, type, 'external_reference', references),
      problem: (line) => `the house has the ${type} ${quote(line.record.external_reference!)} already`,
    })
  }
  await note(batch, tx, {
    lines: batch.of('auction'),
    field: 'slug',
    key: (line) => line.record.slug,
    stored: (tx, slugs) => findBy(tx, 'auction', 'slug', slugs),
    problem: (line) => `the house has an auction with the slug ${quote(line.record.slug!)} already`,
  })
  await note(batch, tx, {
    lines: batch.of('lot').filter((line) => !line.record.archived && line.targets['session']),
    field: 'lot_number',
    key: (line) =>
      line.record.lot_number == null ? undefined : `${line.targets['session']} ${line.record.lot_number}`,
    stored: findByNumber,
    problem: (line) => `the session has a lot ${line.record.lot_number} already`,
  })
}

async function findRefOwners({ db }: Scope, refs: string[]): Promise<Map<string, string>> {
  // The refs of a batch are stored last, so a stored ref belongs to an earlier line.
  return new Map(Array.from((await findRefs(db, refs)).keys(), (ref) => [ref, 'earlier']))
}
