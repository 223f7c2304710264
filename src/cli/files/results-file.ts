import type { Context } from '../../context.ts'
import type { Source } from '../../load/source.ts'
import type { Justification } from '../../lots/outcomes.ts'
import { resultStates, type ResultState } from '../../values/offers.ts'
import { int32 } from '../../values/bounds.ts'
import { parseId, printId } from '../../values/ids.ts'
import { AmountError } from '../../values/typed-money.ts'
import { readAmountColumn, resolveAmount, type TypedAmount } from './amount-column.ts'
import { CommandError } from '../command-error.ts'
import { listLots } from '../list-queries.ts'
import { readRowFile, readWhole, refuseFile, refusingRows, type RowFault } from './row-file.ts'
import type { Print } from './lot-file.ts'
import { recordResults, type LotDecision, type RecordedResults } from '../../lots/results.ts'

/** A result of a file: the line, the number of the lot, its state, and its price with the currency that the row names. */
export type ResultRow = {
  line: number
  number: number
  state: ResultState
  amount: TypedAmount | null
  currency: string | null
}

/** The name of a file, its results, and the columns that are not stored. */
export type ResultsFile = { name: string; rows: ResultRow[]; ignored: string[] }

const columns = ['number', 'state', 'amount', 'amount_minor', 'currency']

/**
 * The results in a file with number, state and amount, by the lots of one session.
 * @throws CommandError, also for JSON with `units`
 */
export async function readResults(source: Source, { units }: { units?: boolean | undefined }): Promise<ResultsFile> {
  const ignored = new Set<string>()
  const shape = { rows: 'results', columns, needed: ['number', 'state'], ignored }
  const rows = await readRowFile(source, shape, (line, read, isJson): ResultRow => {
    if (isJson && units) throw new CommandError(`${source.name} is JSON, which has minor units: --units is for CSV`)
    return {
      line,
      number: read('number', (value) => readWhole(value, int32.minimum, int32.maximum), 'a lot number'),
      state: read('state', readState, `a result: ${resultStates.join(', ')}`),
      amount: readAmountColumn(read, 'amount', isJson, 1),
      currency: read('currency', (value) => ((value ?? '') === '' ? null : String(value)), 'a currency'),
    }
  })
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
  const { currency } = context.house
  const faults: RowFault[] = []
  const refuse = ({ line }: ResultRow, column: string, problem: string) => void faults.push({ line, column, problem })
  const lots = new Map((await listLots(context, { session })).map((lot) => [lot.lot_number, lot]))
  const lines = new Map<number, number>()
  const decisions = rows.flatMap((row): LotDecision[] => {
    const { id, result } = lots.get(row.number) ?? { id: null, result: null }
    const lot = id === null ? undefined : parseId('lot', id)
    if (lot === undefined) refuse(row, 'number', `the session has no lot ${row.number}`)
    const twin = lines.get(row.number)
    if (twin === undefined) lines.set(row.number, row.line)
    else refuse(row, 'number', `line ${twin} has the lot ${row.number} too`)
    if (row.currency !== null && row.currency !== currency)
      refuse(row, 'currency', `${JSON.stringify(row.currency)} is not the house's currency ${currency}`)
    const amount = readAmount(row)
    // A row does not say how a lot was sold: it repeats a sale after the sale, or together with another lot, too.
    const isRepeated =
      result?.state === 'sold' && row.state === 'sold' && (amount ?? null) === (result.amount?.amount ?? null)
    const sale = isRepeated && {
      after_sale: result.after_sale,
      with: result.with === null ? undefined : parseId('lot', result.with),
    }
    return lot === undefined ? [] : [{ lot, state: row.state, amount, correct, reason, ...sale }]
  })
  if (faults.length > 0) throw refuseFile(file, faults)
  return refusingRows(
    { name: file, lines: rows.map(({ line }) => line) },
    {
      printer: print(new Map(decisions.map(({ lot }, index) => [printId('lot', lot), String(rows[index]!.number)]))),
      house: context.house,
    },
    (fault, index) => ('field' in fault && fault.field === 'amount' && rows[index]!.amount?.column) || 'number',
    recordResults(context, { session, results: decisions }),
  )

  function readAmount(row: ResultRow): number | undefined {
    if (row.amount === null) return undefined
    if (row.state !== 'sold') refuse(row, row.amount.column, `a lot that is ${row.state} has no price`)
    try {
      return resolveAmount(row.amount, currency, units)
    } catch (error) {
      if (!(error instanceof AmountError)) throw error
      refuse(row, row.amount.column, error.message)
      return undefined
    }
  }
}
