import { describeCommand, printResult, withCatalogue, type CommonOptions } from '../command.ts'

/** `catalogue migrate`. Opening the catalogue migrates it already; the command prints what ran. */
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
