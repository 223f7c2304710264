import { LotsRefusal } from '../backoffice/lots.ts'
import { Refusal } from '../backoffice/refusal.ts'
import { fieldError } from '../http/body/validation.ts'
import { Problem, validationFailed } from '../problems.ts'

/** A refusal of staff's rules as the problem of the interface; any other error as it is. */
export function toProblem(error: Error): Error {
  if (!(error instanceof Refusal)) return error
  if (error instanceof LotsRefusal) return toProblemOfLots(error)
  const { message, reason, errors, isMissing } = error
  const detail = toSentence(message)
  if (isMissing) return new Problem('not-found', 'There is no such record.')
  if (errors) return validationFailed(errors)
  return new Problem('conflict', detail, reason && { reason })
}

const toSentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`

// What is wrong with the body comes before the state of records.
function toProblemOfLots({ problems }: LotsRefusal): Problem {
  const wrong = problems.filter(({ reason }) => reason === undefined)
  if (wrong.length > 0)
    return validationFailed(wrong.map(({ index, field }) => fieldError(`lots.${index}.${field}`, 'unavailable')))
  const [{ problem, reason }] = problems as [LotsRefusal['problems'][0]]
  return new Problem('conflict', toSentence(problem), reason && { reason })
}
