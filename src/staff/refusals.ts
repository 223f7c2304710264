import { LotsRefusal } from '../backoffice/lots/lots.ts'
import { ResultsRefusal } from '../backoffice/lots/results.ts'
import type { Refusal } from '../backoffice/refusal.ts'
import type { House } from '../context.ts'
import { fieldError } from '../http/body/validation.ts'
import { mostErrors, Problem, validationFailed, type FieldError } from '../problems.ts'
import { printId } from '../values/ids.ts'

/** A refusal of staff's rules as the problem of the interface. Amounts are in the currency of the house. */
export function toProblem(refusal: Refusal, { currency }: House): Problem {
  if (refusal instanceof LotsRefusal) return toProblemOfLots(refusal)
  if (refusal instanceof ResultsRefusal) return toProblemOfResults(refusal, currency)
  const { message, details } = refusal
  const { reason, count, field, code, minimum, errors, isMissing, isDuplicate } = details
  if (isMissing) return new Problem('not-found', 'There is no such record.')
  if (isDuplicate) return new Problem('duplicate-reference', toSentence(message))
  if (errors) return validationFailed(errors)
  if (field === undefined)
    return new Problem('conflict', toSentence(message), {
      causes: reason ? [{ reason, record: null, ...(count !== undefined && { count }) }] : [],
    })
  if (code !== undefined) return validationFailed([toFieldError(field, code)])
  const error = {
    field,
    code: minimum === undefined ? 'invalid' : 'out_of_range',
    problem: toSentence(message),
  } as const
  return validationFailed([minimum === undefined ? error : { ...error, minimum: { amount: minimum, currency } }])
}

// What a command would say instead is of no use over HTTP.
const toSentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1).replace(/: say --.*$/, '')}.`

const toFieldError = (field: string, code: 'unavailable' | 'duplicate') =>
  fieldError(field, code, code === 'unavailable' ? 'is unknown, archived or of another session' : undefined)

// Errors of the body come before those of the state of records.
function toProblemOfLots({ problems }: LotsRefusal): Problem {
  const wrong = problems.filter(({ reason }) => reason === undefined)
  if (wrong.length > 0)
    return validationFailed(
      wrong.map(({ index, field, problem }) => {
        const isRecord = field === 'item' || field === 'session'
        const path = `lots.${index}.${field}`
        return isRecord
          ? fieldError(path, 'unavailable')
          : { field: path, code: 'invalid', problem: toSentence(problem) }
      }),
    )
  const [{ problem, reason }] = problems as [LotsRefusal['problems'][0]]
  if (reason !== 'in_use')
    return new Problem('conflict', toSentence(problem), { causes: reason ? [{ reason, record: null }] : [] })
  const errors = problems
    .filter((each) => each.reason === reason)
    .slice(0, mostErrors)
    .map(({ index, lot, ...each }): FieldError => ({
      field: `lots.${index}.item`,
      code: 'unavailable',
      problem: toSentence(each.problem),
      ...(lot && { lot: printId('lot', lot) }),
    }))
  return new Problem('conflict', toSentence(problem), { causes: [{ reason, record: null }], errors })
}

function toProblemOfResults({ problems }: ResultsRefusal, currency: string): Problem {
  const wrong = problems.flatMap(({ index, field, code, problem, minimum }): FieldError[] => {
    if (field === undefined) return []
    if (code !== undefined) return [toFieldError(`results.${index}.${field}`, code)]
    const error = { field: `results.${index}.${field}`, problem: toSentence(problem) }
    if (minimum === undefined) return [{ ...error, code: 'invalid' }]
    return [{ ...error, code: 'out_of_range', minimum: { amount: minimum, currency } }]
  })
  if (wrong.length > 0) return validationFailed(wrong)
  const [{ problem, reason }] = problems as [ResultsRefusal['problems'][0]]
  return new Problem('conflict', toSentence(problem), { causes: reason ? [{ reason, record: null }] : [] })
}
