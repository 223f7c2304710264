import { describeCommand, printResult, withCatalogue, type CommonOptions } from '../command.ts'

/** `catalogue generation [--new]` */
export const generationCommand = describeCommand(
  'generation',
  'Print the generation of the database, which is part of cursors and ETags.',
)
  .option('--new', 'begin a new one: after files of the database were copied back')
  .action((options: CommonOptions & { new?: boolean }) =>
    withCatalogue(async ({ db }) => {
      const { readGeneration, renewGeneration } = await import('../../db/generation.ts')
      if (options.new) await renewGeneration(db)
      await printResult({ generation: await readGeneration(db) }, options, ({ generation }) => generation)
    }),
  )
