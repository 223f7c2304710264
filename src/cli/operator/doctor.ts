import { InvalidArgumentError } from 'commander'
import { readCatalogueKey } from '../../settings/config.ts'
import { running, terminal } from '../../values/program.ts'
import { reportAway } from '../away.ts'
import { exitCodes } from '../exit-codes.ts'
import { describeCommand, printResult, UsageError, withCatalogue, type CommonOptions } from '../command.ts'

function readOrigin(text: string): string {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('It must be a URL that begins with https:// or http://.')
  return url.origin
}

async function reportInstallation({ url, ...options }: CommonOptions & { url?: string }): Promise<void> {
  const key = readCatalogueKey(terminal().env)
  if (url !== undefined && key === undefined)
    throw new UsageError('--url needs the key of a house in the environment variable CATALOGUE_KEY')
  const [{ checkInstallation }, { checkAddress }] = await Promise.all([
    import('../../doctor/installation.ts'),
    import('../../doctor/address.ts'),
  ])
  const { checks, isDatabaseAway } = await checkInstallation()
  if (url !== undefined) checks.push(await checkAddress(url, key!))
  if (isDatabaseAway) running().exitCode = exitCodes.notReached
  else if (checks.some(({ state }) => state === 'wrong')) running().exitCode = exitCodes.refused
  await printResult(checks, options, () =>
    checks.map(({ check, state, says }) => `${state.padEnd(8)}${check.padEnd(12)}${says}`),
  )
}

/**
 * `catalogue doctor`: exits with 1 if it finds invalid records, with 3 if `--installation` cannot reach the database.
 */
export const doctorCommand = describeCommand(
  'doctor',
  'List all records that the interface cannot show truthfully, without changing them.',
)
  .option('--house <slug>', 'only the records of this house')
  .option('--installation', 'check settings, database, migrations, clock, jobs, searches, store and disks instead')
  .option(
    '--url <url>',
    'with --installation: the public address of the service; reads a record there with the key in CATALOGUE_KEY',
    readOrigin,
  )
  .action(async (options: CommonOptions & { installation?: boolean; url?: string }) => {
    if (options.installation) return reportInstallation(options)
    if (options.url !== undefined) throw new UsageError('--url is an option of doctor --installation')
    await withCatalogue(async ({ db }) => {
      const [{ examine }, { requireHouse }, { sortHouses }] = await Promise.all([
        import('../../doctor/records.ts'),
        import('../names.ts'),
        import('../../houses/reach.ts'),
      ])
      const { reached, away } =
        options.house === undefined
          ? await sortHouses(db)
          : { reached: [await requireHouse(db, options.house)], away: [] }
      const findings = await examine(db, reached)
      if (findings.length > 0) running().exitCode = exitCodes.refused
      await printResult(findings, options, () =>
        findings.length === 0
          ? away.length === 0
            ? 'Every record can be shown.'
            : 'Every other record can be shown.'
          : findings.map(({ type, record, problem }) => `${type} ${record} ${problem}`),
      )
      await reportAway(away)
    })
  })
