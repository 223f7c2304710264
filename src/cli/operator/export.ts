import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Exported, Pictures } from '../../export/exporter.ts'
import {
  describeCommand,
  printCount,
  printResult,
  say,
  UsageError,
  withCatalogue,
  type CommonOptions,
} from '../command.ts'
import { showProgress } from '../progress.ts'
import { fillWhole, findParent, writeWhole } from '../whole-files.ts'
import { describeRecords } from './load.ts'

const exporting = { doing: 'exporting to', done: 'exported to', print: (lines: number) => printCount(lines, 'line') }

type ExportOptions = CommonOptions & { media?: string | false }

/** `catalogue export` */
export const exportCommand = describeCommand(
  'export',
  'Write a house in the load format, while the service runs: all its records, archived and defective ones too.',
)
  .argument('[file]', 'the file, which appears when it is whole; .gz is packed; - or none is standard output', '-')
  .option('--house <slug>', 'the short name of the house; needed if there are several')
  .option('--media <folder>', 'a new folder for the stored pictures, beside the file or below, where load reads them')
  .option('--no-media', 'leave the stored pictures out')
  .action((file: string, { media: folder, ...options }: ExportOptions) =>
    withCatalogue(async (catalogue) => {
      const [{ exportHouse }, { requireHouse }] = await Promise.all([
        import('../../export/exporter.ts'),
        import('../names.ts'),
      ])
      const house = await requireHouse(catalogue.db, options.house)
      const shownPath = typeof folder === 'string' ? await findPath(file, folder) : ''
      const shown = showProgress({ ...exporting, step: 20_000 }, file)
      const isPacked = file.toLowerCase().endsWith('.gz')
      try {
        const done = await writeWhole(file, (output) => {
          const write = (pictures: Pictures) =>
            exportHouse(catalogue, house, output, { pictures, isPacked, onProgress: shown.report })
          if (typeof folder !== 'string') return write(folder === false ? 'left out' : undefined)
          return fillWhole(folder, (partial) => write({ folder: partial, path: shownPath }))
        })
        shown.end(done.lines)
        for (const key of done.missing) say(`the store lacks ${key}, which an image names`)
        if (file !== '-') await printExported({ file, ...done }, options)
      } catch (error) {
        shown.fail()
        throw error
      }
    }),
  )

function printExported(exported: { file: string } & Exported, options: CommonOptions): Promise<void> {
  return printResult(exported, options, ({ file, records }) => `${file}: ${describeRecords(records)}`)
}

/** The path of the folder in the file: relative to the folder of the file, as load reads it. */
async function findPath(file: string, folder: string): Promise<string> {
  const base = await realpath(file === '-' ? '.' : await findParent(file))
  const parent = await realpath(await findParent(folder))
  const found = path.relative(base, path.join(parent, path.basename(path.resolve(folder))))
  if (found === '' || found === '..' || found.startsWith('../'))
    throw new UsageError(`${folder} is not beside the file or below: load would not read the pictures there`)
  return found
}
