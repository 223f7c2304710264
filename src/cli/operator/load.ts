import type { Loaded } from '../../load/loader.ts'
import { describeCommand, printCount, printResult, withCatalogue, type CommonOptions } from '../command.ts'
import { showProgress } from '../progress.ts'

const loading = { doing: 'loading', done: 'loaded', print: (lines: number) => printCount(lines, 'line'), step: 20_000 }

/** `catalogue load FILE…` */
export const loadCommand = describeCommand('load', 'Load files of the load format, each of them whole or not at all.')
  .argument('<file...>', 'files of the load format; - is standard input, .gz is unpacked')
  .action((files: string[], options: CommonOptions) =>
    withCatalogue(async ({ db, media }) => {
      const [{ load }, { openSource }] = await Promise.all([
        import('../../load/loader.ts'),
        import('../../load/source.ts'),
      ])
      const results: LoadedFile[] = []
      for (const file of files) {
        const shown = showProgress(loading, file)
        try {
          const loaded = await load({ db, media, now: new Date() }, await openSource(file), ({ lines }) =>
            shown.report(lines),
          )
          shown.end(loaded.lines)
          results.push({ file, ...loaded })
        } catch (error) {
          shown.fail()
          if (results.length > 0) await printLoaded(results, options).catch(() => undefined)
          throw error
        }
      }
      await printLoaded(results, options)
    }),
  )

type LoadedFile = { file: string } & Loaded

function printLoaded(files: LoadedFile[], options: CommonOptions): Promise<void> {
  return printResult(files, options, () => files.map(({ file, records }) => `${file}: ${describeRecords(records)}`))
}

/** The numbers of records of each type in words. */
export function describeRecords(records: Record<string, number>): string {
  return (
    Object.entries(records)
      .map(([type, count]) => printCount(count, type))
      .join(', ') || 'nothing'
  )
}
