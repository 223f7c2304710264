import { progress } from '@clack/prompts'
import { load, openSource, type Loaded, type Progress } from '../load/loader.ts'
import { escapeControls } from '../values/text.ts'
import { describeCommand, printCount, printResult, withCatalogue, type CommonOptions } from './command.ts'

const linesPerReport = 20_000

/** Shows how far a load is: a moving bar on a terminal, plain lines elsewhere. There the error message alone reports a failure. */
function showProgress(file: string) {
  const name = escapeControls(file)
  if (process.stderr.isTTY) {
    const bar = progress({ style: 'light', output: process.stderr, indicator: 'timer' })
    bar.start(`loading ${name}`)
    return {
      report: ({ lines }: Progress) => bar.message(`loading ${name}: ${printCount(lines, 'line')}`),
      end: (lines: number) => bar.stop(`loaded ${name}: ${printCount(lines, 'line')}`),
      fail: () => bar.stop(`gave up loading ${name}`),
    }
  }
  let next = linesPerReport
  return {
    report({ lines }: Progress) {
      if (lines < next) return
      next = lines + linesPerReport
      process.stderr.write(`loading ${name}: ${printCount(lines, 'line')}\n`)
    },
    end: (lines: number) => void process.stderr.write(`loaded ${name}: ${printCount(lines, 'line')}\n`),
    fail: () => undefined,
  }
}

/** `catalogue load FILE…` */
export const loadCommand = describeCommand('load', 'Load files of the load format, each of them whole or not at all.')
  .argument('<file...>', 'files of the load format; - is standard input, .gz is unpacked')
  .action((files: string[], options: CommonOptions) =>
    withCatalogue(async ({ db, media }) => {
      const results: LoadedFile[] = []
      for (const file of files) {
        const shown = showProgress(file)
        try {
          const loaded = await load({ db, media, now: new Date() }, await openSource(file), (reached) =>
            shown.report(reached),
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

function describeRecords(records: Record<string, number>): string {
  return (
    Object.entries(records)
      .map(([type, count]) => printCount(count, type))
      .join(', ') || 'nothing'
  )
}
