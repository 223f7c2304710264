import { open } from 'node:fs/promises'
import { printBytes } from '../../values/bytes.ts'
import { describeCommand, printCount, printResult, utcOption, withCatalogue, type CommonOptions } from '../command.ts'
import { printTime } from '../times.ts'

/** `catalogue restore FILE` */
export const restoreCommand = describeCommand(
  'restore',
  'Restore an archive into an empty database, all of it or nothing.',
)
  .argument('<file>', 'an archive that backup has written; - is standard input')
  .option(...utcOption)
  .action((file: string, options: CommonOptions) =>
    withCatalogue(async (catalogue) => {
      const [{ restore }, { ArchiveError }, { showProgress, printMegabytes }] = await Promise.all([
        import('../../backup/restore.ts'),
        import('../../backup/archive.ts'),
        import('../progress.ts'),
      ])
      const input = file === '-' ? process.stdin : await openFile(file)
      const shown = showProgress(
        { doing: 'restoring', done: 'restored', print: printMegabytes, step: 100_000_000 },
        file,
      )
      try {
        const restored = await restore(catalogue, input, shown.report)
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

async function openFile(file: string) {
  const handle = await open(file).catch((error: Error) => {
    throw new Error(`${file} cannot be read: ${error.message}`, { cause: error })
  })
  return handle.createReadStream({ highWaterMark: 256 * 1024 })
}
