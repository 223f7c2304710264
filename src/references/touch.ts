import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import { fieldsOf } from '../http/body/validation.ts'
import { kinds } from '../kinds.ts'
import { noteChange, type Values } from '../writes/journal.ts'
import { touch } from '../writes/touch.ts'
import { links, type State } from './made.ts'
import type { MadeKind, Step } from './schema.ts'
import { columnsOf, insertReferences, insertStrategy } from './statements.ts'

/** A record that was locked. */
type Locked = { id: string; uuid: string; archived: boolean; state: State }

// A name is a field such as `names.en`.
function listValues({ names, ...fields }: State): Values {
  const byLocale = Object.entries(fieldsOf(names)).map(([locale, name]) => [`names.${locale}`, name])
  return { ...fields, ...Object.fromEntries(byLocale) }
}

/** Inserts records, and notes each for the journal. `target`: the internal id of the record to which it points. */
export async function addReferences(
  tx: Context,
  kind: MadeKind,
  records: readonly { id: string; uuid: string; state: State; target: string | null }[],
): Promise<void> {
  const link = links[kind]
  const rows = records.map(({ id, uuid, state, target }) => ({
    id,
    public_id: uuid,
    ...columnsOf(kind, { ...(link && { [link.field]: null }), ...state }, target),
  }))
  await insertReferences(tx, kind, rows)
  for (const { uuid, state } of records) {
    const subject = { kind, uuid }
    noteChange(tx, subject, {}, listValues(state), { about: subject })
  }
}

/** Adds an increment strategy with its steps, at least one, and notes it for the journal. */
export async function addStrategy(
  tx: Context,
  strategy: { public_id: string; name: string; steps: readonly Step[] },
): Promise<void> {
  await insertStrategy(tx, strategy)
  const { public_id: uuid, name } = strategy
  const { currency } = tx.house
  const steps = strategy.steps.map(({ from, increment }) => ({
    from: { amount: from, currency },
    increment: { amount: increment, currency },
  }))
  noteChange(tx, { kind: 'increment_strategy', uuid }, {}, { name, steps })
}

/**
 * Changes a locked record to a state, and notes for the journal what differs. `target`: the internal id of the record to
 * which it points. Writes nothing if nothing differs.
 */
export async function touchReference(
  tx: Context,
  kind: MadeKind,
  { id, uuid, archived, state }: Locked,
  wanted: { archived: boolean; state: State },
  target: string | null,
): Promise<void> {
  const changed = findChanged(state, wanted.state)
  if (Object.keys(changed).length === 0 && archived === wanted.archived) return
  const columns = { ...columnsOf(kind, changed, target), ...(wanted.archived && { archived: true }) }
  await touch(tx, kinds[kind].plural, id, columns)
  const after = { ...listValues(wanted.state), archived: wanted.archived }
  noteChange(tx, { kind, uuid }, { ...listValues(state), archived }, after)
}

/** The fields that differ. */
export const findChanged = (state: State, wanted: State): State =>
  Object.fromEntries(Object.entries(wanted).filter(([field, value]) => !isDeepStrictEqual(value, state[field])))

/** Takes a locked record away, and notes it for the journal: of a kind that is deleted, all that it had. */
export async function endReference(tx: Context, kind: MadeKind, { id, uuid, state }: Locked): Promise<void> {
  await touch(tx, kinds[kind].plural, id, { archived: true })
  const [before, after] = 'deletes' in kinds[kind] ? [listValues(state), {}] : [{ archived: false }, { archived: true }]
  noteChange(tx, { kind, uuid }, before, after)
}
