import type { House } from '../context.ts'
import { findTooLong, placeOf, textNames, type GivenText } from '../items/texts.ts'
import { JsonError, lineRules, readJson } from '../values/json.ts'
import type { Money } from '../values/money.ts'
import { shorten } from '../values/text.ts'
import { LoadError, quote } from './errors.ts'
import { translationsOf } from './rows.ts'
import { findValidator, recordTypes, type LoadRecord, type Records } from './schema.ts'

type SchemaError = { keyword: string; instancePath: string; message: string; params: object }

function describe({ keyword, instancePath, message, params }: SchemaError): { path: string[]; problem: string } {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { requiredProperties, allowedValues } = params as { requiredProperties?: string[]; allowedValues?: string[] }
  if (requiredProperties) return { path: [...path, requiredProperties[0]!], problem: 'is missing' }
  if (allowedValues) return { path, problem: `must be one of ${allowedValues.join(', ')}` }
  return { path, problem: keyword === 'boolean' ? 'unknown field' : message }
}

// If a value may have one of several shapes, the deepest problem belongs to the intended shape, or one that is not of the
// type.
function firstProblem(errors: SchemaError[]): { path: string[]; problem: string } {
  let deepest: { path: string[]; problem: string; isType: boolean } | undefined
  for (const error of errors) {
    if (error.keyword === 'anyOf' || error.keyword === 'additionalProperties') continue
    const found = { ...describe(error), isType: error.keyword === 'type' }
    const deeper = deepest ? found.path.length - deepest.path.length : 1
    if (deeper > 0 || (deeper === 0 && deepest!.isType && !found.isType)) deepest = found
  }
  return deepest ?? { path: [], problem: 'is not a record' }
}

// A name of the file may have any length.
const printPath = (path: string[]) => path.map((name) => shorten(name)).join('.')

function parseLine(place: { file: string; line: number }, line: Buffer): unknown {
  try {
    return readJson(line, lineRules)
  } catch (error) {
    throw error instanceof JsonError ? new LoadError(place, printPath(error.path), error.problem) : error
  }
}

/**
 * Reads one line, which is UTF-8.
 * @throws LoadError as `readJson` and `checkShape` do
 */
export function parseRecord(place: { file: string; line: number }, line: Buffer): LoadRecord {
  const value = parseLine(place, line)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LoadError(place, '', 'the line is not a JSON object')
  }
  return checkShape(place, value)
}

/**
 * Checks an object against the schema of its type.
 * @throws LoadError for an unknown type, and for a record that the schema refuses
 */
export function checkShape(place: { file: string; line: number }, value: object): LoadRecord {
  const type = (value as { type?: unknown }).type
  if (type === undefined) throw new LoadError(place, 'type', 'is missing')
  if (typeof type !== 'string') throw new LoadError(place, 'type', 'must be string')
  const validator = findValidator(type)
  if (!validator)
    throw new LoadError(place, 'type', `unknown type ${quote(type)}; the types are ${recordTypes.join(', ')}`)
  if (!validator.Check(value)) {
    const { path, problem } = firstProblem(validator.Errors(value))
    throw new LoadError(place, printPath(path), problem)
  }
  return value
}

function amountsOf(record: LoadRecord): [field: string, value: Money | null | undefined][] {
  switch (record.type) {
    case 'increment_strategy':
      return (record.steps ?? []).flatMap((step, index): [string, Money][] => [
        [`steps.${index}.from`, step.from],
        [`steps.${index}.increment`, step.increment],
      ])
    case 'item':
      return [
        ['estimate.low', record.estimate?.low],
        ['estimate.high', record.estimate?.high],
      ]
    case 'lot':
      return [
        ['starting_bid', record.starting_bid],
        ['current_bid', record.current_bid],
        ['result.amount', record.result?.amount],
      ]
    case 'bid':
      return [['amount', record.amount]]
    default:
      return []
  }
}

type Owner = Pick<House, 'currency' | 'defaultLocale'>

// A second translation of a locale is stored beside the first, so it counts as a text of its own.
function* textsOf(record: Records['item'], { defaultLocale }: Owner): Generator<GivenText> {
  for (const name of textNames)
    yield { field: name, place: placeOf(defaultLocale, name), name, text: record[name] ?? '' }
  const seen = new Set<string>()
  for (const [index, { locale, ...texts }] of translationsOf(record).entries()) {
    const path = `translations.${Array.isArray(record.translations) ? index : locale}`
    const stored = seen.has(locale) ? String(index) : locale
    seen.add(locale)
    for (const name of textNames)
      yield { field: `${path}.${name}`, place: placeOf(stored, name), name, text: texts[name] ?? '' }
  }
}

// The first contradiction between the fields of a lot: its path and the problem.
function findContradiction(lot: Records['lot']): [field: string, problem: string] | undefined {
  const { result, sold } = lot
  if (result) {
    const isSold = result.state === 'sold'
    if (sold !== undefined && sold !== isSold) return ['sold', `contradicts the result ${result.state}`]
    if (!isSold && result.amount) return ['result.amount', `a lot that is ${result.state} has no price`]
    if (!isSold && result.after_sale) return ['result.after_sale', `contradicts the result ${result.state}`]
    if (!isSold && result.with != null) return ['result.with', `a lot that is ${result.state} was not sold together`]
    if (result.with != null && result.amount) return ['result.amount', 'belongs to the lot that "with" names']
  }
  return undefined
}

// A flat text is that of the default locale.
function findMismatch(record: LoadRecord, { defaultLocale }: Owner): [field: string, problem: string] | undefined {
  const [name, text, translations] =
    record.type === 'lot'
      ? ['notice', record.notice, record.notice_translations]
      : record.type === 'image'
        ? ['alt', record.alt, record.alt_translations]
        : []
  const translation = translations?.[defaultLocale]
  if (text == null || translation === undefined || translation === text) return undefined
  return [name!, `differs from ${name}_translations.${defaultLocale}`]
}

/**
 * Checks a record against its house and kind.
 * @throws LoadError for money in another currency than the house's, an item's texts that are too long, a lot
 *   or an image whose fields contradict each other, and a session's block of the other kind
 */
export function checkRecord(place: { file: string; line: number }, record: LoadRecord, house: Owner): void {
  const { currency } = house
  for (const [field, money] of amountsOf(record)) {
    if (money && money.currency !== currency) {
      throw new LoadError(
        place,
        `${field}.currency`,
        `${quote(money.currency)} is not the house's currency ${currency}`,
      )
    }
  }
  if (record.type === 'item') {
    const [tooLong] = findTooLong([...textsOf(record, house)])
    if (tooLong) throw new LoadError(place, tooLong.field, tooLong.problem)
  }
  const contradiction = record.type === 'lot' ? findContradiction(record) : undefined
  const [field, problem] = contradiction ?? findMismatch(record, house) ?? []
  if (field !== undefined) throw new LoadError(place, field, problem!)
  if (record.type !== 'session') return
  const other = record.kind === 'timed' ? 'live' : 'timed'
  if (record[other]) throw new LoadError(place, other, `a ${record.kind} session has no ${other} block`)
}
