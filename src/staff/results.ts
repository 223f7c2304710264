import { Type, type Static } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { recordResults, type LotDecision } from '../lots/results.ts'
import { fieldError, inList, type Fields, checkCurrencies } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import { parseId, idPattern } from '../values/ids.ts'
import { serveWrite } from '../writes/operations.ts'
import { Nullable, amountFrom, ReasonText } from '../values/shapes.ts'
import { AddedLots, mostNamedLots } from '../lots/schema.ts'
import { resultStates, type ResultState } from '../values/offers.ts'

const lotId = Type.String({ pattern: idPattern('lot') })

/** What staff decided about a lot, in a body. */
export const DecisionBody = Type.Object(
  {
    state: Type.Unsafe<ResultState>({ type: 'string', enum: [...resultStates] }),
    amount: Type.Optional(Nullable(amountFrom(1))),
    after_sale: Type.Optional(Type.Boolean()),
    with: Type.Optional(Nullable(lotId)),
    correct: Type.Optional(Type.Boolean()),
    reason: Type.Optional(ReasonText),
  },
  { additionalProperties: false },
)

/** The body of `POST /sessions/{id}/results`. */
const ResultsRecord = Type.Object(
  {
    except: Type.Optional(Type.Array(lotId, { maxItems: mostNamedLots })),
    unsold: Type.Optional(Type.Array(lotId, { maxItems: mostNamedLots })),
    results: Type.Optional(
      Type.Array(Type.Object({ lot: lotId, ...DecisionBody.properties }, { additionalProperties: false }), {
        minItems: 1,
        maxItems: mostNamedLots,
      }),
    ),
  },
  { $id: 'ResultsRecord', additionalProperties: false },
)

/** A decision in a body, with plain ids and amounts. */
export function toDecision({
  amount,
  with: carrier,
  ...decision
}: Static<typeof DecisionBody>): Omit<LotDecision, 'lot'> {
  return {
    ...decision,
    ...(amount && { amount: amount.amount }),
    ...(carrier && { with: parseId('lot', carrier)! }),
  }
}

function checkChoice({ results, except, unsold }: Fields): FieldError[] {
  if (results === undefined) return []
  return Object.entries({ except, unsold }).flatMap(([name, value]) =>
    value === undefined ? [] : [fieldError(name, 'invalid', 'excludes results')],
  )
}

/** What became of the lots of a session. */
export const resultRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveWrite(app, 'POST', '/sessions/:id/results', {
    operationId: 'recordResults',
    summary: 'Record the results of lots, all or none',
    description:
      'Without `results`: each closed lot of a timed session without a result is sold at its highest bid, or unsold. Held lots, and those of `except`, stay; those of `unsold` are unsold. Answers with the lots in the order of the body.',
    tags: ['Sessions'],
    permissions: ['staff', 'lots.read'],
    guarded: false,
    bulk: true,
    problems: ['conflict'],
    body: ResultsRecord,
    check: (body, { house }) => [...checkChoice(body), ...checkCurrencies(house, body, 'results', 'amount')],
    answer: AddedLots,
    write(context, { id, body: { results, except, unsold } }) {
      const uuids = (ids: string[] = []) => ids.map((lot) => parseId('lot', lot)!)
      const decisions = results?.map(({ lot, ...decision }) => ({ ...toDecision(decision), lot: parseId('lot', lot)! }))
      const given = { session: id, results: decisions, except: uuids(except), unsold: uuids(unsold) }
      return inList('results', recordResults(context, given))
    },
  })
}
