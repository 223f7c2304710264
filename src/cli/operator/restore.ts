import { printBytes } from '../../values/bytes.ts'
import { describeCommand, printCount, printResult, utcOption, withCatalogue, type CommonOptions } from '../command.ts'
import { printMegabytes, showProgress } from '../progress.ts'
import { printTime } from '../times.ts'

/** `catalogue restore FILE` */
export const restoreCommand = describeCommand(
  'restore',
  'Restore an archive into an empty database, all of it or nothing.',
)
  .argument('<file>', 'an archive that backup has written; .gz is unpacked; - is standard input')
  .option(...utcOption)
  .action((file: string, options: CommonOptions) =>
    withCatalogue(async (catalogue) => {
      const [{ openSource }, { restore }, { ArchiveError }] = await Promise.all([
        import('../../load/source.ts'),
        import('../../backup/restore.ts'),
        import('../../backup/archive.ts'),
      ])
      const { stream } = await openSource(file)
      const shown = showProgress(
        { doing: 'restoring', done: 'restored', print: printMegabytes, step: 100_000_000 },
        file,
      )
      try {
        const restored = await restore(catalogue, stream, shown.report)
        shown.end(restored.bytes)
        await printResult({ file, ...restored }, options, () => [
          `${file} of ${printTime(restored.created_at, options)}: ${printCount(restored.files, 'file')}, ${printBytes(restored.bytes)}`,
        ])
      } catch (error) {
        shown.fail()
        if (!(error instanceof ArchiveError)) throw error
        throw new Error(`${file === '-' ? 'standard input' : file}: ${error.message}`, { cause: error })
      }
    }),
  )
