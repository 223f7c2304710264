import { migrate } from '../db/migrate.ts'
import { describeCommand, printResult, withCatalogue, type CommonOptions } from './command.ts'

/** `catalogue migrate`: opening the catalogue migrates too; this says so. */
export const migrateCommand = describeCommand('migrate', 'Bring the schema up to date.').action(
  (options: CommonOptions) =>
    withCatalogue(async (catalogue) => {
      const ran = [...catalogue.migrations, ...(await migrate(catalogue))]
      await printResult({ migrations: ran }, options, () =>
        ran.length === 0 ? 'The schema is up to date.' : ran.map((name) => `ran ${name}`),
      )
    }),
)
