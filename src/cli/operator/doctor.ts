import { exitCodes } from '../exit-codes.ts'
import { describeCommand, printResult, withCatalogue, type CommonOptions } from '../command.ts'

async function reportInstallation(options: CommonOptions): Promise<void> {
  const { checkInstallation } = await import('../../installation/checks.ts')
  const { checks, isDatabaseAway } = await checkInstallation()
  if (isDatabaseAway) process.exitCode = exitCodes.notReached
  else if (checks.some(({ state }) => state === 'wrong')) process.exitCode = exitCodes.refused
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
  .option('--installation', 'check settings, database, migrations, clock, jobs, store and disks instead')
  .action(async (options: CommonOptions & { house?: string; installation?: boolean }) => {
    if (options.installation) return reportInstallation(options)
    await withCatalogue(async ({ db }) => {
      const [{ examine }, { requireHouse }] = await Promise.all([
        import('../../backoffice/doctor.ts'),
        import('../../backoffice/named-records.ts'),
      ])
      if (options.house !== undefined) await requireHouse(db, options.house)
      const findings = await examine(db, options.house)
      if (findings.length > 0) process.exitCode = exitCodes.refused
      await printResult(findings, options, () =>
        findings.length === 0
          ? 'Every record can be shown.'
          : findings.map(({ type, record, problem }) => `${type} ${record} ${problem}`),
      )
    })
  })
