import type { Shown } from '../pictures/gallery.ts'
import { Names } from '../names.ts'
import { pointerNames, type LinkedType, type LoadRecord, type Records } from '../records.ts'
import { Refused, refuse, type Pointee } from '../rejections.ts'

/** The target of a pointer. */
export type Target =
  | { state: 'there'; id: string; isNew: boolean; shown: Shown[] | undefined }
  | { state: 'planned'; name: string }
  | { state: 'linked'; record: Records[LinkedType]; id: string | undefined }
  /** No target: the record was rejected, or no record points to its type. */
  | { state: 'none' }

/** A target to which a record may point. */
export type Found = Exclude<Target, { state: 'none' }>

const id = /^(?:[a-z]{3}_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The key of a ref is the ref. That of an id is its UUID. */
const keyOf = (name: string) => (id.test(name) ? name.slice(-36).toLowerCase() : name)

/** The type of the records to which a field points. */
const typeOf = (field: string) => ({ categories: 'category', makers: 'maker' })[field] ?? field

/** The keys of the records to which a record points. */
function keysOf(record: LoadRecord): string[] {
  const fields = record as Record<string, unknown>
  const pointers = [...pointerNames.one, ...pointerNames.several].flatMap((name) => fields[name])
  return pointers.filter((pointer) => typeof pointer === 'string').map(keyOf)
}

/** The targets of a source's refs, maybe a million. Each is dropped after the last record that points to it. */
export class Targets {
  // The number of records still to come that point to a key.
  readonly #uses = new Names()
  readonly #targets = new Map<string, Target>()
  readonly #pending = new Map<string, { type: string; target: Promise<Target> }>()

  /** Counts the pointers of a record before the run takes it. */
  expect(record: LoadRecord): void {
    for (const key of keysOf(record)) this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1)
  }

  /** Drops the targets of a finished record's pointers that no later record needs. */
  release(record: LoadRecord): void {
    for (const key of keysOf(record)) {
      const left = (this.#uses.get(key) ?? 1) - 1
      this.#uses.set(key, left)
      if (left === 0) this.#targets.delete(key)
    }
  }

  /** Registers a record by its ref and its id while it is imported. Records that point to it wait. */
  async set({ type, ref, id }: LoadRecord, target: Promise<Target>): Promise<void> {
    const named = [ref, id].filter((name) => typeof name === 'string').map(keyOf)
    const keys = named.filter((key) => this.#uses.get(key))
    for (const key of keys) this.#pending.set(key, { type, target })
    const known = await target
    for (const key of keys) {
      this.#targets.set(key, known)
      if (this.#pending.get(key)?.target === target) this.#pending.delete(key)
    }
  }

  /**
   * The target of a field's pointer: an earlier record of the source once it is imported, or a stored record by its id.
   * @throws Refused
   */
  async find(field: string, pointer: string): Promise<Found> {
    const key = keyOf(pointer)
    const pending = this.#pending.get(key)
    // Records that point to each other by mistake would wait for ever.
    if (pending !== undefined && pending.type !== typeOf(field))
      throw refuse(field, 'unavailable', `${pointer} is a record of another type`)
    const target = (await pending?.target) ?? this.#targets.get(key)
    if (target === undefined && id.test(pointer)) return { state: 'there', id: pointer, isNew: false, shown: undefined }
    if (target === undefined) throw refuse(field, 'unavailable', `${pointer} is neither an earlier line nor an id`)
    if (target.state !== 'none') return target
    throw new Refused([{ field, code: 'unavailable', message: `${pointer} was not brought in` }], true)
  }

  /** The target of a ref, for a file that is read on its own. */
  describe(ref: string): Pointee {
    const target = this.#targets.get(keyOf(ref))
    if (target === undefined) return undefined
    if (target.state === 'there') return { id: target.id }
    if (target.state !== 'linked') return undefined
    return target.id === undefined ? { record: target.record } : { id: target.id }
  }
}
