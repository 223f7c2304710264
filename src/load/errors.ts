/** A line that cannot be loaded. The message is `FILE:LINE: field: what is wrong`; `field` is '' for a whole line. */
export class LoadError extends Error {
  readonly line: number
  readonly field: string
  readonly problem: string

  constructor(place: { file: string; line: number }, field: string, problem: string) {
    super(`${place.file}:${place.line}: ${field === '' ? '' : `${field}: `}${problem}`)
    this.name = 'LoadError'
    this.line = place.line
    this.field = field
    this.problem = problem
  }
}

/** A unique constraint kept a row from being inserted. */
export class Conflict extends Error {
  readonly table: string

  constructor(table: string) {
    super(`a row of ${table} is there already`)
    this.name = 'Conflict'
    this.table = table
  }
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A value of the file in quotes, shortened, for a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
