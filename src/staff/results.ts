import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { recordSessionResults, type LotDecision } from '../backoffice/lots/results.ts'
import { fieldError, fieldsOf, parseBody, type Fields } from '../http/body/validation.ts'
import { pathId } from '../http/path.ts'
import type { FieldError } from '../problems.ts'
import { contextOf } from '../reads/context.ts'
import { parseId } from '../values/ids.ts'
import { IdParameters } from '../values/shapes.ts'
import { sendWritten } from '../writes/writes.ts'
import { AddedLots, checkCurrency, ResultsRecord, type LotChange } from './schema.ts'

/** A decision in a body, with plain ids and amounts. */
export function toDecision({
  amount,
  with: carrier,
  ...decision
}: NonNullable<Static<typeof LotChange>['result']>): Omit<LotDecision, 'lot'> {
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
  app.post(
    '/sessions/:id/results',
    {
      config: {
        permissions: ['staff', 'lots.read'],
        accepts: 'application/json',
        guarded: false,
        bulk: true,
        problems: ['conflict', 'validation-failed'],
      },
      schema: {
        operationId: 'recordResults',
        summary: 'Record the results of lots, all or none',
        description:
          'Without `results`: each closed lot of a timed session without a result is sold at its highest bid, or unsold. Held lots, and those of `except`, stay; those of `unsold` are unsold. Answers with the lots in the order of the body.',
        tags: ['Sessions'],
        params: IdParameters,
        body: ResultsRecord,
        response: { 200: AddedLots },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const check = (body: Fields) => [
        ...checkChoice(body),
        ...(Array.isArray(body['results']) ? body['results'] : []).flatMap((result, index) =>
          checkCurrency(context.house, `results.${index}.amount`, fieldsOf(result)['amount']),
        ),
      ]
      const { results, except, unsold } = parseBody(ResultsRecord, request.body, 'POST', check)
      const uuids = (ids: string[] = []) => ids.map((id) => parseId('lot', id)!)
      const decisions = results?.map(({ lot, ...decision }) => ({ ...toDecision(decision), lot: parseId('lot', lot)! }))
      const given = { results: decisions, except: uuids(except), unsold: uuids(unsold) }
      const session = pathId('session', request.params.id)
      return sendWritten(request, reply, await recordSessionResults(context, session, given))
    },
  )
}
