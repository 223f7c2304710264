import type { Context } from '../../context.ts'
import type { Source } from '../../load/source.ts'
import type { Justification } from '../../lots/outcomes.ts'
import { resultStates, type ResultState } from '../../values/offers.ts'
import { int32 } from '../../values/bounds.ts'
import { parseId, printId } from '../../values/ids.ts'
import { readAmountColumn, resolveAmount, type TypedAmount } from './amount-column.ts'
import { describeInRow } from '../command-error.ts'
import { numberLotsOf } from '../session-lots.ts'
import { FileFaults, readRowFile, readWhole, refusingRows } from './row-file.ts'
import type { Print } from './lot-file.ts'
import { recordResults, type LotDecision, type RecordedResults } from '../../lots/results.ts'

/** A result of a file: the line, the number of the lot, its state, and its price with the currency that the row names. */
type ResultRow = {
  line: number
  number: number
  state: ResultState
  amount: TypedAmount | null
  currency: string | null
}

/** The name of a file, its results, and the columns that are not stored. */
type ResultsFile = { name: string; rows: ResultRow[]; ignored: string[] }

const columns = ['number', 'state', 'amount', 'amount_minor', 'currency']

/**
 * The results in a file with number, state and amount, by the lots of one session.
 * @throws CommandError, also for JSON with `units`
 */
export async function readResults(source: Source, { units }: { units?: boolean | undefined }): Promise<ResultsFile> {
  const ignored = new Set<string>()
  const shape = { rows: 'results', columns, needed: ['number', 'state'], ignored, units }
  const rows = await readRowFile(source, shape, (line, read, isJson): ResultRow => ({
    line,
    number: read('number', (value) => readWhole(value, int32.minimum, int32.maximum), 'a lot number'),
    state: read('state', readState, `a result: ${resultStates.join(', ')}`),
    amount: readAmountColumn(read, 'amount', isJson, 1),
    currency: read('currency', (value) => ((value ?? '') === '' ? null : String(value)), 'a currency'),
  }))
  return { name: source.name, rows, ignored: [...ignored] }
}

const readState = (value: unknown) => resultStates.find((state) => state === String(value).toLowerCase())

/**
 * Records the results of a file, all or none. A row that repeats what is stored changes nothing; one that differs is
 * refused without `correct`, in a live session too.
 * @throws CommandError
 */
export async function recordResultsOfFile(
  context: Context,
  session: string,
  { name: file, rows }: ResultsFile,
  { units, correct = false, reason }: Justification & { units?: boolean | undefined },
  print: Print,
): Promise<RecordedResults> {
  const { house } = context
  const faults = new FileFaults(file)
  const lots = await numberLotsOf(context, session)
  const decisions = rows.flatMap(({ line, number, state, currency, ...row }): LotDecision[] => {
    const { uuid: lot, result } = lots.get(number) ?? {}
    if (lot === undefined) faults.add(line, 'number', `the session has no lot ${number}`)
    faults.addTwin(line, 'number', number, `the lot ${number}`)
    if (currency !== null && currency !== house.currency)
      faults.add(line, 'currency', `${JSON.stringify(currency)} is not the house's currency ${house.currency}`)
    if (row.amount !== null && state !== 'sold')
      faults.add(line, row.amount.column, `a lot that is ${state} has no price`)
    const amount = resolveAmount(faults, line, row.amount, { currency: house.currency, units }) ?? undefined
    // A row does not say how a lot was sold: it repeats a sale after the sale, or together with another lot, too.
    const isRepeated = result?.state === 'sold' && state === 'sold' && amount === result.amount?.amount
    const sale = isRepeated && {
      after_sale: result.after_sale,
      with: result.with === null ? undefined : parseId('lot', result.with),
    }
    return lot === undefined ? [] : [{ lot, state, amount, correct, reason, ...sale }]
  })
  faults.refuse()
  const printer = print(new Map(decisions.map(({ lot }, index) => [printId('lot', lot), String(rows[index]!.number)])))
  return refusingRows(
    { name: file, lines: rows.map(({ line }) => line) },
    (fault, index) => [
      ('field' in fault && fault.field === 'amount' && rows[index]!.amount?.column) || 'number',
      describeInRow(fault, printer, house),
    ],
    recordResults(context, { session, results: decisions }),
  )
}
