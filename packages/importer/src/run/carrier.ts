import { hash } from 'node:crypto'
import { CatalogueError, Conflict, etag, type Guard, type Rehearsal, type Tagged } from '@auction-catalogue/client'
import { namesOf } from './bodies.ts'
import { nameRecord, type LoadRecord, type Place, type Records } from '../records.ts'
import { Refused, refuse } from '../rejections.ts'
import type { Outcome, Run } from './run.ts'
import type { Stored } from './stored.ts'

type Referenced = { id: string; external_reference: string | null }

// How to find, create, compare and change records of one kind. An undefined change means that nothing differs.
type Carriage<T extends Referenced, Change> = {
  /** The ids of the links. One that was not found may be there in a later run. */
  links: object
  stored: Stored<T>
  create(isRehearsal: boolean): Promise<{ id: string | null }>
  get(id: string): Promise<Tagged<T>>
  change(stored: T): Change | undefined | Promise<Change | undefined>
  update(id: string, change: Change, options: Guard & Rehearsal): Promise<unknown>
}

/** The outcome for a record, and its id. A planned record has no id yet. */
export type Carried<T> = { outcome: Outcome; id: string | undefined; stored: T | undefined }

// The hash that identifies a record of the source with all its fields, and the records to which they lead.
const hashRecord = (record: LoadRecord, links: object): string =>
  hash('sha256', JSON.stringify([record, links]), 'base64url').slice(0, 22)

/**
 * The reference of a record.
 * @throws Refused if it has none
 */
function requireReference({ type, external_reference }: Records['auction' | 'session' | 'item']): string {
  const what = `is missing: give the ${type} a reference of its own, by which it is found again`
  if (!external_reference) throw refuse('external_reference', 'required', what)
  return external_reference
}

/** The refusal of a record that a change would make equal to the source. `id` is that of the stored record. */
export const refuseDifferences = (change: object, id?: string): Refused =>
  new Refused(
    namesOf(change).map((field) => ({ field, code: 'differs', message: 'differs from the catalogue' })),
    false,
    id,
  )

/**
 * Reads a record, compares it, and changes it with `If-Match`. If another client changes it meanwhile, this is repeated.
 * Returns the changed fields.
 */
export async function changeGuarded<T extends object, Change extends object>(
  run: Run,
  record: {
    get(): Promise<Tagged<T>>
    change(stored: T): Change | undefined | Promise<Change | undefined>
    update(change: Change, options: Guard & Rehearsal): Promise<unknown>
  },
): Promise<string[]> {
  const dryRun = run.mode === 'plan'
  for (let attempt = 0; ; attempt++) {
    const fresh = await run.slots.use(() => record.get())
    const change = await record.change(fresh)
    if (change === undefined) return []
    try {
      await run.slots.use(() => record.update(change, { ifMatch: fresh[etag], dryRun }))
      return namesOf(change)
    } catch (error) {
      if (!(error instanceof Conflict) || error.status !== 412 || attempt === 5) throw error
    }
  }
}

/**
 * Imports a record by its reference: creates it, changes what differs, or leaves it. A plan rehearses this. A verification
 * refuses every difference.
 */
export async function carry<T extends Referenced, Change extends object>(
  run: Run,
  record: Records['auction' | 'session' | 'item'],
  place: Place,
  carriage: Carriage<T, Change>,
): Promise<Carried<T>> {
  const reference = requireReference(record)
  const hash = hashRecord(record, carriage.links)
  if (run.isResumed) {
    const entry = run.journal.find(record.type, reference)
    if (entry?.hash === hash) return { outcome: 'same', id: entry.id, stored: undefined }
  }
  const note = async (id: string, outcome: 'created' | 'changed' | 'same', fields: string[] = []) => {
    await run.journal.add({ line: place.line, kind: record.type, reference, id, hash, state: outcome })
    if (outcome !== 'same') run.tell({ place, record, outcome, id, fields })
  }
  let found = await run.slots.use(() => carriage.stored.find(reference))
  if (found === undefined) {
    if (run.mode === 'verify') throw refuse('', 'missing', `${describeRecord(record)} is not in the catalogue`)
    try {
      const { id } = await run.slots.use(() => carriage.create(run.mode === 'plan'))
      if (id === null) run.tell({ place, record, outcome: 'created', fields: [] })
      else await note(id, 'created')
      return { outcome: 'created', id: id ?? undefined, stored: undefined }
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.code !== 'duplicate-reference') throw error
      // Another client, or a killed run, created the record after the list was read.
      found = await run.slots.use(() => carriage.stored.ask(reference))
      if (found === undefined) throw error
    }
  }
  const { id } = found
  const change = await carriage.change(found)
  if (change !== undefined && run.mode === 'verify') throw refuseDifferences(change, id)
  const fields =
    change === undefined
      ? []
      : await changeGuarded(run, {
          get: () => carriage.get(id),
          change: (fresh) => carriage.change(fresh),
          update: (body: Change, options) => carriage.update(id, body, options),
        })
  const outcome = fields.length > 0 ? 'changed' : 'same'
  await note(id, outcome, fields)
  return { outcome, id, stored: found }
}

/** The name of a record for messages: `item V-118`. */
export const describeRecord = (record: LoadRecord): string => `${record.type} ${nameRecord(record)}`
