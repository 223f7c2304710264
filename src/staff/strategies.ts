import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createStrategy, findStepFaults } from '../backoffice/strategies.ts'
import { fieldError, fieldsOf, parseBody, type Fields } from '../http/body/validation.ts'
import { validationFailed } from '../problems.ts'
import { contextOf } from '../reads/context.ts'
import { single } from '../values/shapes.ts'
import { sendWritten } from '../writes/writes.ts'
import { checkCurrency, StrategyCreate } from './schema.ts'

/** By how much bids rise. */
export const strategyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/increment_strategies',
    {
      config: {
        status: 201,
        permissions: ['staff', 'bidding_step_configurations.read'],
        accepts: 'application/json',
        problems: ['duplicate-reference', 'validation-failed'],
      },
      schema: {
        operationId: 'createIncrementStrategy',
        summary: 'Create an increment strategy',
        description: 'One step begins at 0, and no two at the same amount. The name is not taken yet.',
        tags: ['Increment strategies'],
        body: StrategyCreate,
        response: { 201: single('IncrementStrategy') },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const check = ({ steps }: Fields) =>
        (Array.isArray(steps) ? steps : []).flatMap((step, index) =>
          ['from', 'increment'].flatMap((name) =>
            checkCurrency(context.house, `steps.${index}.${name}`, fieldsOf(step)[name]),
          ),
        )
      const { name, steps } = parseBody(StrategyCreate, request.body, 'POST', check)
      const plain = steps.map(({ from, increment }) => ({ from: from.amount, increment: increment.amount }))
      const errors = findStepFaults(plain).map((fault) =>
        fault
          ? fieldError(`steps.${fault.index}.from`, 'duplicate')
          : fieldError('steps', 'invalid', 'must have a step that begins at 0'),
      )
      if (errors.length > 0) throw validationFailed(errors)
      return sendWritten(request, reply, await createStrategy(context, name, plain))
    },
  )
}
