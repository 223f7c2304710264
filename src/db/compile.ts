import { CompiledQuery, createQueryId, PostgresQueryCompiler, sql, type RawBuilder } from 'kysely'

/** The text and the parameters of a piece of SQL. */
export function compile(fragment: RawBuilder<unknown>): { text: string; parameters: readonly unknown[] } {
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(
    fragment.toOperationNode(),
    createQueryId(),
  )
  return { text, parameters }
}

// Stands in a statement for a value that each use gives.
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Returns a function that makes a statement with its values. `write` runs and is compiled at the first use alone. */
export function compileOnce<Values extends Record<string, unknown>>(
  write: (value: (name: keyof Values & string) => RawBuilder<unknown>) => RawBuilder<unknown>,
): (values: Values) => { compile(): CompiledQuery } {
  let compiled: ReturnType<typeof compile> | undefined
  return (values) => ({
    compile() {
      compiled ??= compile(write((name) => sql`${new Placeholder(name)}`))
      const { text, parameters } = compiled
      return CompiledQuery.raw(
        text,
        parameters.map((each) => (each instanceof Placeholder ? values[each.name] : each)),
      )
    },
  })
}
