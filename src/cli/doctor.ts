import { describeCommand, printResult, withCatalogue, type CommonOptions } from './command.ts'

/** `catalogue doctor`: exits with 1 if it finds any. */
export const doctorCommand = describeCommand(
  'doctor',
  'List every record that the interface cannot show truthfully. Changes nothing.',
)
  .option('--house <slug>', 'only the records of this house')
  .action((options: CommonOptions & { house?: string }) =>
    withCatalogue(async ({ db }) => {
      const [{ examine }, { requireHouse }] = await Promise.all([
        import('../backoffice/doctor.ts'),
        import('../backoffice/named-records.ts'),
      ])
      if (options.house !== undefined) await requireHouse(db, options.house)
      const findings = await examine(db, options.house)
      if (findings.length > 0) process.exitCode = 1
      await printResult(findings, options, () =>
        findings.length === 0
          ? 'Every record can be shown.'
          : findings.map(({ type, record, problem }) => `${type} ${record} ${problem}`),
      )
    }),
  )
