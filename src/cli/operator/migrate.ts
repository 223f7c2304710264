import { describeCommand, printResult, withCatalogue, type CommonOptions } from '../command.ts'

/** `catalogue migrate`. To open the catalogue is to migrate it; the command prints the migrations that ran. */
export const migrateCommand = describeCommand('migrate', 'Bring the database schema up to date.').action(
  (options: CommonOptions) =>
    withCatalogue(async (catalogue) => {
      const { migrate } = await import('../../db/schema/migrate.ts')
      const ran = [...catalogue.migrations, ...(await migrate(catalogue))]
      await printResult({ migrations: ran }, options, () =>
        ran.length === 0 ? 'The schema is up to date.' : ran.map((name) => `ran ${name}`),
      )
    }),
)
