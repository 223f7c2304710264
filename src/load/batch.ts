import { randomUUID } from 'node:crypto'
import type { Database } from '../db/pool.ts'
import type { House } from '../context.ts'
import { allKinds, kinds, type Kind } from '../kinds.ts'
import { LoadError } from './errors.ts'
import { takeIds } from '../db/catalogue-tables.ts'
import { parsePublicId } from '../values/ids.ts'
import type { Records } from './schema.ts'

/** A checked line before its insertion. */
export type Line<Type extends Kind = Kind> = {
  number: number
  record: Records[Type]
  /** The internal id, set when the batch is loaded. */
  id: string
  publicId: string | null
  /** The internal ids that its fields point to, by dotted field. */
  targets: Record<string, string | null>
}

/** Some consecutive lines of one house, checked and inserted together. */
export class Batch {
  readonly file: string
  readonly house: House
  readonly lines: Line[] = []
  #first: LoadError | undefined

  constructor(file: string, house: House) {
    this.file = file
    this.house = house
  }

  /** Adds the record of a line. Its public id is the line's `id`: null means none, and a missing one is generated. */
  add(number: number, record: Records[Kind]) {
    const publicId = record.id == null ? null : parsePublicId(record.type, record.id)!
    this.lines.push({
      number,
      record,
      id: '',
      publicId: record.id === undefined ? randomUUID() : publicId,
      targets: {},
    })
  }

  /** The batch's lines of one type, in order. */
  of<Type extends Kind>(type: Type): Line<Type>[] {
    return this.lines.filter((line): line is Line<Type> => line.record.type === type)
  }

  /** The refs of the lines, and the records that they name. */
  refs(): { ref: string; kind: Kind; id: string }[] {
    return this.lines.flatMap(({ id, record: { ref, type } }) => (ref === undefined ? [] : [{ ref, kind: type, id }]))
  }

  /** Records a problem of a line. Only the first problem of the first line is kept. */
  note(line: Line, field: string, problem: string) {
    if (this.#first && this.#first.line <= line.number) return
    this.#first = new LoadError({ file: this.file, line: line.number }, field, problem)
  }

  get hasProblems(): boolean {
    return this.#first !== undefined
  }

  /** Throws the problem of the first line that has one. */
  refuse() {
    if (this.#first) throw this.#first
  }
}

/** Gives every line of the batch its internal id. */
export async function assignIds(tx: Database, batch: Batch) {
  for (const type of allKinds) {
    const lines = batch.of(type)
    if (lines.length === 0) continue
    const ids = await takeIds(tx, kinds[type].plural, lines.length)
    for (const [index, line] of lines.entries()) line.id = ids[index]!
  }
}
