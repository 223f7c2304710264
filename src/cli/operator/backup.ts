import { randomUUID } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { describeFolderError, sync } from '../../folders.ts'
import { printBytes } from '../../values/bytes.ts'
import { describeCommand, printCount, printResult, withCatalogue, type CommonOptions } from '../command.ts'

/** `catalogue backup FILE` */
export const backupCommand = describeCommand(
  'backup',
  'Write the database and the media into one archive, while the service runs.',
)
  .argument('<file>', 'the archive, which replaces a file of that name when it is whole; - is standard output')
  .action((file: string, options: CommonOptions) =>
    withCatalogue(async (catalogue) => {
      const [{ backUp }, { showProgress, printMegabytes }] = await Promise.all([
        import('../../backup/backup.ts'),
        import('../progress.ts'),
      ])
      const shown = showProgress(
        { doing: 'backing up to', done: 'backed up to', print: printMegabytes, step: 100_000_000 },
        file,
      )
      try {
        const done = await writeWhole(file, (output) => backUp(catalogue, output, new Date(), shown.report))
        shown.end(done.bytes)
        for (const key of done.missing) process.stderr.write(`the store lacks ${key}, which an image names\n`)
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

// Any failure leaves the file as it was, absent or whole. Only a killed process leaves an unfinished file.
async function writeWhole<T>(file: string, write: (output: Writable) => Promise<T>): Promise<T> {
  if (file === '-') return write(process.stdout)
  const partial = `${file}.partial-${randomUUID().slice(0, 8)}`
  const remove = () => rmSync(partial, { force: true })
  process.once('exit', remove)
  const output = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
  const failure: { error?: unknown } = {}
  output.once('error', (error) => (failure.error = error))
  try {
    const result = await write(output)
    await rename(partial, file)
    await sync(path.dirname(path.resolve(file)))
    return result
  } catch (error) {
    if (!('error' in failure)) throw error
    throw new Error(`${file} cannot be written: ${describeFolderError(partial, failure.error)}`, { cause: error })
  } finally {
    process.off('exit', remove)
    remove()
  }
}
