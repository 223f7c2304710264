import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Catalogue, CatalogueError } from '@auction-catalogue/client'
import { replaceBeside } from './files.ts'
import { Importer } from './run/importer.ts'
import type { Result } from './run/result.ts'
import { madeTypes, pluralOf, printMissing } from './run/missing-records.ts'
import { Journal } from './run/journal.ts'
import { Meter } from './report/meter.ts'
import { Unusable } from './misfit.ts'
import { emit, say, type Output } from './report/output.ts'
import { Page } from './report/page.ts'
import { showProgress } from './report/progress.ts'
import { proposeMapping } from './proposal/proposal.ts'
import { describeResult, isComplete, isNothing, printReport, printType, shownChanges } from './report/report.ts'
import type { Done, Mode } from './run/run.ts'
import { printLots, type MissingLot } from './run/session-lots.ts'
import { checkKind } from './source/file-kind.ts'
import { isSheet } from './source/sheet.ts'
import { Slots } from './run/slots.ts'
import { mappingOf, openSource } from './run/source.ts'

const help = `catalogue-import: brings the catalogue of an auction house in, over HTTP

  catalogue-import map    SHEET     looks at a CSV or XLSX file and writes a mapping for you to edit
  catalogue-import plan   SOURCE    says what would be created, changed and left; changes nothing
  catalogue-import apply  SOURCE    does it; run it again after a failure
  catalogue-import verify SOURCE    reads everything back and compares it, pictures by their bytes

SOURCE is a file in the load format (.ndjson, .ndjson.gz), a sheet (.csv, .xlsx) with its mapping, or a folder of pictures
whose names begin with the references of their items.

  --url URL          where the service is (plan, apply, verify)
  --key-file FILE    a file with the API key; without it, the key is in CATALOGUE_KEY
  --mapping FILE     the mapping of a sheet (default: SHEET.mapping.yaml)
  --yes              take starting bids of a sheet that do not fit their estimates
  --resume           apply: go on with the run that the journal has, and do not ask again for what it did
  --max-errors N     give up after so many rejected records (default 100)
  --report FILE      write an HTML page of what was brought in and what was not
  --json             progress and report as JSON, a line each
  --version, --help

Exit code: 0 everything, 1 some of it, 2 nothing, or nothing could be begun.
`

/** A word of a command as a shell reads it. */
const quoteWord = (text: string) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)

const printCount = (count: number, type: string) => `${count} ${printType(type, count)} ${count === 1 ? 'is' : 'are'}`

/** What a command is given beside its words, and where it prints: a process, or what stands for one. */
export type Io = { env: NodeJS.ProcessEnv; stdout: Output; stderr: Output }

function parseWords(words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        'key-file': { type: 'string' },
        mapping: { type: 'string' },
        yes: { type: 'boolean', default: false },
        resume: { type: 'boolean', default: false },
        'max-errors': { type: 'string', default: '100' },
        report: { type: 'string' },
        json: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new Unusable((error as Error).message)
  }
}

type Words = ReturnType<typeof parseWords>['values']

async function writeMapping(
  sheet: string,
  { mapping = mappingOf(sheet), json }: Words,
  stdout: Output,
): Promise<number> {
  if (!isSheet(sheet) && existsSync(sheet)) await checkKind(sheet)
  if (!isSheet(sheet)) throw new Unusable(`${sheet} is not a sheet: .csv, .tsv, .txt or .xlsx`)
  const proposal = await proposeMapping(sheet, basename(sheet)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Unusable(`there is no file ${sheet}`) : error
  })
  await writeFile(mapping, proposal.text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new Unusable(`${mapping} is there already: remove it, or name another with --mapping`)
    throw error
  })
  if (json) emit(stdout, { event: 'mapping', file: mapping, said: proposal.said })
  else say(stdout, [...proposal.said, `wrote ${mapping}: fill in what it asks for, and correct what is wrong`])
  return 0
}

async function readKey(file: string | undefined, env: NodeJS.ProcessEnv): Promise<string> {
  const key = file === undefined ? env.CATALOGUE_KEY : await readFile(file, 'utf8')
  if (!key?.trim()) throw new Unusable('there is no key: name a --key-file, or set CATALOGUE_KEY')
  return key.trim()
}

/** Checks the options of a run. Returns the address of the service, and the most records that may be rejected. */
function checkOptions(mode: Mode, words: Words): { url: string; maxErrors: number } {
  const maxErrors = Number(words['max-errors'])
  if (!Number.isSafeInteger(maxErrors) || maxErrors < 0) throw new Unusable('--max-errors must be a whole number')
  if (words.url === undefined || !URL.canParse(words.url))
    throw new Unusable('--url must be the address of the service')
  if (words.resume && mode !== 'apply') throw new Unusable('--resume belongs to apply')
  return { url: words.url, maxErrors }
}

/** The name of the house in the journal, made from address and key. */
const nameTarget = (url: string, key: string) =>
  createHash('sha256')
    .update(`${new URL(url).href}\n${key}`)
    .digest('base64url')
    .slice(0, 11)

// The first Ctrl-C waits for the requests under way, the second aborts them, the third ends the process.
function stopOnInterrupt(importer: Importer, meter: Meter): () => void {
  let presses = 0
  const interrupt = () => {
    if (++presses === 2) process.off('SIGINT', interrupt)
    importer.stop()
    meter.stop()
  }
  process.on('SIGINT', interrupt)
  return () => void process.off('SIGINT', interrupt)
}

async function carryOut(mode: Mode, path: string, words: Words, { env, stdout, stderr }: Io): Promise<number> {
  const { url, maxErrors } = checkOptions(mode, words)
  const key = await readKey(words['key-file'], env)
  const source = await openSource(path, words.mapping, words.yes)
  const slots = new Slots()
  const meter = new Meter(slots)
  const { fetch, signal } = meter
  // A request may need many attempts on a slow connection: 35 take a quarter of an hour.
  const catalogue = new Catalogue({ url, key, fetch, retries: 35, signal, userAgent: 'catalogue-import' })
  const journalPath = join(source.directory, `${source.name}.journal`)
  const journal = await Journal.open(journalPath, mode === 'apply', nameTarget(url, key))
  const page =
    words.report === undefined
      ? undefined
      : new Page(words.report, `${mode} ${source.name}`, relative(dirname(resolve(words.report)), source.directory))
  const changes: Done[] = []
  const tell = (done: Done) => {
    page?.add(done)
    if (done.outcome === 'changed' && changes.length < shownChanges) changes.push(done)
  }
  const isResumed = words.resume
  const importer = new Importer({ mode, isResumed, maxErrors, source, catalogue, journal, slots, signal, tell })
  const begun = performance.now()
  const endProgress = showProgress(importer, meter, words.json, stdout, stderr)
  const ignoreInterrupt = stopOnInterrupt(importer, meter)
  try {
    const result = await importer.run().finally(endProgress)
    const seconds = (performance.now() - begun) / 1000
    const report = printReport(mode, result, changes, seconds, meter.requests)
    if (words.json) emit(stdout, describeResult(mode, result, seconds, meter.requests))
    else say(stdout, report)
    const troubles: unknown[] = result.fatal === undefined ? [] : [result.fatal]
    const attempt = <T>(work: Promise<T>) => work.catch((error: unknown) => void troubles.push(error))
    if (page !== undefined) await attempt(page.close(result.rejections, report))
    if (mode !== 'verify') {
      const missing = await attempt(writeMissing(join(source.directory, source.name), result, catalogue))
      if (!words.json) say(stdout, missing ?? [])
    }
    if (mode === 'apply') {
      const lots = await attempt(writeLots(join(source.directory, `${source.name}.lots.csv`), result.lots))
      const rejected = await attempt(importer.writeRejections())
      if (!words.json) say(stdout, lots ?? [])
      // The rejected records alone would not bring in what was not tried.
      const then =
        result.taken === undefined ? 'correct them and apply that file' : `correct ${path} and apply it again`
      if (!words.json && rejected) say(stdout, [`the rejected records are in ${rejected}: ${then}`])
    }
    for (const trouble of troubles) say(stderr, describeTrouble(trouble))
    if (troubles.length === 0 && isComplete(mode, result)) return 0
    return isNothing(result) ? 2 : 1
  } finally {
    ignoreInterrupt()
    await journal.close()
  }
}

/** Writes the missing records beside the source, a file for each type. Returns the lines that tell staff how to make them. */
async function writeMissing(
  source: string,
  { missing, refs }: Pick<Result, 'missing' | 'refs'>,
  catalogue: Catalogue,
): Promise<string[]> {
  const lines: string[] = []
  for (const type of madeTypes) {
    const plural = pluralOf(type)
    const path = `${source}.missing-${plural}.csv`
    const file = printMissing(type, missing, refs)
    if (file === undefined) {
      await rm(path, { force: true })
      continue
    }
    await replaceBeside(path, [file.csv])
    const { name } = await catalogue.house()
    const command = `bin/catalogue ${plural} create --file ${quoteWord(path)} --house ${quoteWord(name)}`
    lines.push(`${printCount(file.count, type)} for staff to make: ${command}`)
  }
  return lines
}

/** Writes the missing lots beside the source. Returns the line that tells staff how to add them. */
async function writeLots(path: string, lots: MissingLot[]): Promise<string[]> {
  if (lots.length === 0) {
    await rm(path, { force: true })
    return []
  }
  await replaceBeside(path, printLots(lots.toSorted((a, b) => a.line - b.line)))
  return [`${printCount(lots.length, 'lot')} for staff to add: bin/catalogue lots add --file ${quoteWord(path)}`]
}

/** The lines for an error that ended a run: the message of an expected error, the stack of a defect of this program. */
function describeTrouble(error: unknown): string[] {
  const { message, stack = message } = error as Error
  if (error instanceof CatalogueError) return [`catalogue-import: ${error.detail || error.title}`]
  const isExpected = error instanceof Unusable || (error as NodeJS.ErrnoException).syscall !== undefined
  return isExpected ? [`catalogue-import: ${message}`] : stack.split('\n')
}

async function choose(words: string[], io: Io): Promise<number> {
  const { values, positionals } = parseWords(words)
  const [command, path, ...rest] = positionals
  if (values.version) {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    say(io.stdout, [version])
    return 0
  }
  if (values.help || command === undefined) {
    say(io.stdout, help.split('\n'))
    return values.help ? 0 : 2
  }
  if (path === undefined || rest.length > 0) throw new Unusable(`catalogue-import ${command} takes one file or folder`)
  if (command === 'map') return writeMapping(path, values, io.stdout)
  if (command === 'plan' || command === 'apply' || command === 'verify') return carryOut(command, path, values, io)
  throw new Unusable(`there is no command "${command}": use map, plan, apply or verify`)
}

/** Carries out the command of these words. Returns its exit code. */
export async function main(words: string[], io: Io): Promise<number> {
  try {
    return await choose(words, io)
  } catch (error) {
    say(io.stderr, describeTrouble(error))
    return 2
  }
}
