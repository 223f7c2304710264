import { printBytes } from '../../values/bytes.ts'
import { describeCommand, printCount, printResult, say, withCatalogue, type CommonOptions } from '../command.ts'
import { printMegabytes, showProgress } from '../progress.ts'
import { writeWhole } from '../whole-files.ts'

/** `catalogue backup FILE` */
export const backupCommand = describeCommand(
  'backup',
  'Write the database and the media into one archive, while the service runs.',
)
  .argument('<file>', 'the archive, which replaces a file of that name when it is whole; - is standard output')
  .action((file: string, options: CommonOptions) =>
    withCatalogue(async (catalogue) => {
      const { backUp } = await import('../../backup/backup.ts')
      const shown = showProgress(
        { doing: 'backing up to', done: 'backed up to', print: printMegabytes, step: 100_000_000 },
        file,
      )
      try {
        const done = await writeWhole(file, (output) => backUp(catalogue, output, new Date(), shown.report))
        shown.end(done.bytes)
        for (const key of done.missing) say(`the store lacks ${key}, which an image names`)
        if (file !== '-')
          await printResult(
            { file, ...done },
            options,
            () => `${file}: ${printCount(done.files, 'file')}, ${printBytes(done.bytes)}`,
          )
      } catch (error) {
        shown.fail()
        throw error
      }
    }),
  )
