// A run reports to the user. During the run, `progress.ts` shows the counts, and what requests wait for (`meter.ts`);
// `page.ts` writes an HTML page of records. At the end, this file turns the result into lines for the user or an object for
// programs. `output.ts` prints both.
import type { Result } from '../run/result.ts'
import { describeRejection, printError, type Rejection } from '../rejections.ts'
import type { Done, Mode, Outcome } from '../run/run.ts'
import { countRows, printNones, printRows } from './rows.ts'

const words: Record<Outcome, string> = {
  created: 'created',
  changed: 'changed',
  same: 'unchanged',
  found: 'found',
  'not found': 'not found',
  missing: 'for staff to add',
  'not carried': 'not carried over HTTP',
  rejected: 'rejected',
}
const wordsOf: Record<Mode, Record<Outcome, string>> = {
  plan: { ...words, created: 'to create', changed: 'to change' },
  apply: words,
  verify: { ...words, same: 'equal', missing: 'not added by staff yet', rejected: 'different or missing' },
}

const plurals = new Map([
  ['category', 'categories'],
  ['delivery_class', 'delivery classes'],
  ['increment_strategy', 'increment strategies'],
  ['unreadable', 'unreadable lines'],
])
/** The name of a type of records, in the plural unless it is one. */
export const printType = (type: string, count: number) =>
  count === 1 ? type.replace('_', ' ') : (plurals.get(type) ?? `${type}s`)

/** The most changes that the report of a plan lists. */
export const shownChanges = 20

// The most items with extra pictures, and lots of a session, that the report lists.
const shownUnnamed = 20

/**
 * Whether a run is complete: without rejections, without records that were not found, and in a verification without missing
 * lots.
 */
export const isComplete = (mode: Mode, { rejections, missing, lots, isCutShort, fatal }: Result): boolean =>
  rejections.list.length === 0 &&
  missing.length === 0 &&
  (mode !== 'verify' || lots.length === 0) &&
  !isCutShort &&
  fatal === undefined

/** Whether a run neither imported a record nor found one as it should be. */
export function isNothing({ counts }: Result): boolean {
  return !Object.values(counts).some(({ created, changed, same, missing }) => created || changed || same || missing)
}

/** The records that were refused only because another one was: a line for each of those. */
function printDependents(rejections: Rejection[]): string[] {
  const groups = new Map<string, { type: string; why: string; lines: number[] }>()
  for (const { source, errors } of rejections) {
    const type = source.record?.type ?? 'unreadable'
    const why = errors[0]!.message
    const key = `${type} ${why}`
    const group = groups.get(key) ?? { type, why, lines: [] }
    groups.set(key, group)
    group.lines.push(source.place.line)
  }
  return Array.from(groups.values(), ({ type, why, lines }) => {
    const shown = lines.slice(0, 10).join(', ')
    const more = lines.length > 10 ? ` and ${lines.length - 10} more` : ''
    return `${lines.length} ${printType(type, lines.length)} not brought in: ${why} (${lines.length === 1 ? 'line' : 'lines'} ${shown}${more})`
  })
}

/** The report of a run, in lines for the user. */
export function printReport(mode: Mode, result: Result, changes: Done[], seconds: number, requests: number): string[] {
  const { account, unreadSheets, counts, rejections, missing, unnamed, taken, isCutShort } = result
  const lines = account ? [printRows(account, rejections, taken), ...printNones(account)] : []
  if (unreadSheets.length > 0)
    lines.push(`sheets that are not read: ${unreadSheets.map((name) => JSON.stringify(name)).join(', ')}`)
  for (const outcome of Object.keys(wordsOf[mode]) as Outcome[]) {
    const parts = Object.entries(counts)
      .filter(([, each]) => each[outcome])
      .map(([type, each]) => `${each[outcome]} ${printType(type, each[outcome]!)}`)
    if (parts.length > 0) lines.push(`${wordsOf[mode][outcome]}: ${parts.join(', ')}`)
  }
  if (mode !== 'verify' && !Object.values(counts).some(({ created, changed }) => created || changed))
    lines.push(mode === 'plan' ? 'nothing would change' : 'nothing was changed')
  if (mode === 'plan') {
    const shown = changes.slice(0, shownChanges)
    lines.push(
      ...shown.map(
        ({ place, record, fields }) => `  ${place.file}:${place.line}: ${record.type}: ${fields.join(', ')}`,
      ),
    )
    const total = Object.values(counts).reduce((sum, { changed = 0 }) => sum + changed, 0)
    if (total > shown.length) lines.push(`  and ${total - shown.length} more changes (--report lists all)`)
  }
  for (const { type, name, why, places } of missing) {
    const rows = places.slice(0, 10).map(({ line }) => line)
    const more = places.length > 10 ? ` and ${places.length - 10} more` : ''
    lines.push(`${type.replace('_', ' ')} "${name}" was not found: ${why} (lines ${rows.join(', ')}${more})`)
  }
  for (const { place, pictures } of unnamed.slice(0, shownUnnamed))
    lines.push(
      `${place.file}:${place.line}: the item has pictures that the source does not name: ${pictures.join(', ')}`,
    )
  if (unnamed.length > shownUnnamed) lines.push(`and so have ${unnamed.length - shownUnnamed} more items`)
  for (const { session, numbers } of result.unnamedLots) {
    const more = numbers.length > shownUnnamed ? ` and ${numbers.length - shownUnnamed} more` : ''
    const shown = numbers.slice(0, shownUnnamed).join(', ')
    lines.push(`the session ${session} has lots that the source does not name: ${shown}${more}`)
  }
  const { list } = rejections
  for (const { source, errors, isDependent } of list)
    if (!isDependent) for (const error of errors) lines.push(printError(source.place, error))
  lines.push(...printDependents(list.filter(({ isDependent }) => isDependent)))
  if (isCutShort)
    lines.push(
      `given up after ${rejections.count} rejections, on line ${taken?.lines.first}: correct the source and run it again, or allow more with --max-errors`,
    )
  lines.push(`${seconds.toFixed(1)} s, ${requests} requests`)
  return lines
}

/** The report of a run, for programs. */
export function describeResult(mode: Mode, result: Result, seconds: number, requests: number) {
  const { account, unreadSheets, counts, rejections, missing, lots, unnamed, taken, isCutShort } = result
  return {
    event: 'report',
    mode,
    ...(account && {
      rows: { count: account.rows, ...countRows(account, rejections, taken) },
      read_as_none: account.nones.flat(),
    }),
    unread_sheets: unreadSheets,
    counts,
    rejections: rejections.list.map(describeRejection),
    missing: missing.map(({ type, name, why, places }) => ({ type, name, why, lines: places.map(({ line }) => line) })),
    lots,
    unnamed_pictures: unnamed.map(({ place, pictures }) => ({ line: place.line, pictures })),
    unnamed_lots: result.unnamedLots,
    is_cut_short: isCutShort,
    seconds: Number(seconds.toFixed(3)),
    requests,
  }
}
