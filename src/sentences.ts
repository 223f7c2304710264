import type { Cause, Duplicate, FieldError, Problem, Reason, RecordName } from './problems.ts'
import { printId } from './values/ids.ts'
import type { Money } from './values/money.ts'
import { printMoney } from './values/typed-money.ts'

/** How a program prints what a refusal names. */
export type Printer = {
  /** The record with its kind: `lot lot_…`. */
  name(record: RecordName): string
  time(time: Date): string
  money(money: Money): string
}

const wordsOf = (name: string) => name.replaceAll('_', ' ')

/** Records by their ids, times in UTC, and amounts in English, whatever the locale of the machine is. */
export const plainPrinter: Printer = {
  name: ({ kind, uuid }) => `${wordsOf(kind)}${uuid === null ? '' : ` ${printId(kind, uuid)}`}`,
  time: (time) => time.toISOString(),
  money: (money) => printMoney(money, 'en'),
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
// An item may be in many lots.
const mostNamed = 3
function list(records: readonly RecordName[], printer: Printer): string {
  const named = records.slice(0, mostNamed).map((record) => `the ${printer.name(record)}`)
  return [...named, ...(records.length > mostNamed ? [`${records.length - mostNamed} more`] : [])].join(', ')
}

/** What is said of the record: the subject is its name, unless the words have another one. */
type Words = (cause: Cause, printer: Printer, subject: string) => string

const opens: Words = ({ time }, printer, subject) =>
  time ? `${subject} opens at ${printer.time(time)}` : `${subject} has no opening time`

// Every reason, once, as a clause: without a capital and a full stop.
const clauses: Record<Reason, Words> = {
  finished: (_cause, _printer, subject) => `${subject} is finished`,
  published: (_cause, _printer, subject) => `${subject} is published`,
  hidden: (_cause, _printer, subject) => `${subject} is hidden, and its publication flag is on`,
  has_lots: (_cause, _printer, subject) => `${subject} holds lots`,
  not_published: (_cause, _printer, subject) => `${subject} is not published`,
  not_open: opens,
  opened: (_cause, _printer, subject) => `${subject} has opened`,
  opens_soon: ({ by, hasOpened }, _printer, subject) => {
    const soon = 'opens in less than five minutes'
    const words = `${subject} ${hasOpened === undefined ? `${soon}, or has opened` : hasOpened ? 'has opened' : soon}`
    return by === 'new_opening' ? `with its new opening, ${words}` : words
  },
  no_schedule: ({ time }, _printer, subject) =>
    time === null
      ? `${subject} has no opening time`
      : `${subject} lacks a first closing time after its opening, or a positive group size and interval`,
  bidding_disabled: (_cause, _printer, subject) => `bidding is disabled in ${subject}`,
  inactive: ({ time }, _printer, subject) =>
    time === null ? `${subject} has no closing time` : `${subject} is not active`,
  closed: ({ record, time }, printer, subject) => {
    if (record?.kind === 'session') return `all lots of ${subject} have closed`
    return time ? `${subject} closed at ${printer.time(time)}` : `${subject} has closed`
  },
  not_closed: ({ count: lots, time }, printer, subject) => {
    if (lots !== undefined) return `${count(lots, 'lot')} of ${subject} ${lots === 1 ? 'has' : 'have'} not closed`
    return time ? `${subject} closes at ${printer.time(time)}` : `${subject} has no closing time`
  },
  has_result: ({ record, state }, _printer, subject) =>
    record?.kind === 'session' ? `${subject} has results` : `${subject} is ${state ?? 'decided'} already`,
  withdrawn: ({ by }, _printer, subject) =>
    by === 'after_sale'
      ? `${subject} is withdrawn: only an unsold lot is sold after the sale`
      : `${subject} is withdrawn`,
  number_taken: ({ number }) =>
    number === undefined
      ? 'another command has just added a lot with one of the numbers'
      : `the session has a lot ${number} already`,
  numbers_fixed: (_cause, _printer, subject) => `the numbers of ${subject} are fixed`,
  in_use: ({ record, state, count: lots, usedBy }, printer, subject) => {
    if (record?.kind === 'auction') return `a session of ${subject} has lots and is not finished`
    if (record?.kind === 'session') return `${subject} has ${count(lots ?? 0, 'lot')}`
    if (record?.kind === 'lot') return `another lot was sold together with ${subject}`
    if (record?.kind === 'consignment') return `${subject} has items of another seller`
    if (record?.kind !== 'item') return `${subject} is in use: an item or a category names it`
    return `${subject} is ${state === 'sold' ? 'sold as' : 'in'} ${usedBy?.length ? list(usedBy, printer) : 'a lot without a result'}`
  },
  has_bids: ({ record }, _printer, subject) =>
    record?.kind === 'session' ? `a lot of ${subject} has had a bid` : `${subject} has had a bid`,
  without_result: ({ by, count: lots }, _printer, subject) => {
    if (by === 'after_sale') return `${subject} has no result: only an unsold lot is sold after the sale`
    return lots === undefined
      ? `${subject} has no result`
      : `${count(lots, 'lot')} of ${subject} ${lots === 1 ? 'has' : 'have'} no result`
  },
}

/** A cause as a clause: `the session ses_… is finished`. */
export function describeCause(cause: Cause, printer: Printer = plainPrinter): string {
  return clauses[cause.reason](cause, printer, cause.record ? `the ${printer.name(cause.record)}` : 'another lot')
}

/** What is wrong with a field: `must not be blank`. */
export function describeFault(
  { problem, minimum, earliest }: Pick<FieldError, 'problem' | 'minimum' | 'earliest'>,
  printer: Printer = plainPrinter,
): string {
  return [problem, ...(minimum ? [printer.money(minimum)] : []), ...(earliest ? [printer.time(earliest)] : [])].join(
    ' ',
  )
}

/** An error in a body as a clause: `title must not be blank`. */
export function describeFieldError(error: Omit<FieldError, 'code'>, printer?: Printer): string {
  return `${error.field === '' ? 'the body' : error.field} ${describeFault(error, printer)}`
}

/** What is wrong with a value that another record has, with its field as the subject. */
export function describeTaken({ kind, value, isGivenTwice = false, needs }: Duplicate): string {
  const words = isGivenTwice ? 'is given twice' : `belongs to another ${wordsOf(kind)} of the house`
  return `${JSON.stringify(value)} ${words}${needs === undefined ? '' : `: a new one with it needs a ${needs}`}`
}

/** A duplicate as a clause: `the name "Breguet" belongs to another maker of the house`. */
export const describeDuplicate = (duplicate: Duplicate): string =>
  `the ${wordsOf(duplicate.field)} ${describeTaken(duplicate)}`

/** A clause as a sentence. */
export const toSentence = (clause: string): string => `${clause[0]!.toUpperCase()}${clause.slice(1)}.`

/** The detail of a problem in the answer of HTTP. */
export function printDetail({ detail, causes, record, duplicate, message }: Problem): string {
  if (detail !== undefined) return detail
  if (causes[0]) return toSentence(describeCause(causes[0]))
  if (duplicate) return toSentence(describeDuplicate(duplicate))
  return record ? `There is no such ${wordsOf(record.kind)}.` : message
}
