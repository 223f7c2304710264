import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createStrategy, findStepFaults } from '../references/strategies.ts'
import { fieldError } from '../http/body/validation.ts'
import { validationFailed } from '../problems.ts'
import { single } from '../values/shapes.ts'
import { serveWrite } from '../writes/operations.ts'
import { checkCurrencies } from './lists.ts'
import { StrategyCreate } from './schema.ts'

/** By how much bids rise. */
export const strategyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveWrite(app, 'POST', '/increment_strategies', {
    operationId: 'createIncrementStrategy',
    summary: 'Create an increment strategy',
    description: 'One step begins at 0, and no two at the same amount. The name is not taken yet.',
    tags: ['Increment strategies'],
    permissions: ['staff', 'bidding_step_configurations.read'],
    status: 201,
    problems: ['duplicate-reference'],
    body: StrategyCreate,
    check: (body, { house }) => checkCurrencies(house, body, 'steps', 'from', 'increment'),
    answer: single('IncrementStrategy'),
    async write(context, { body: { name, steps } }) {
      const plain = steps.map(({ from, increment }) => ({ from: from.amount, increment: increment.amount }))
      const errors = findStepFaults(plain).map((fault) =>
        fault
          ? fieldError(`steps.${fault.index}.from`, 'duplicate')
          : fieldError('steps', 'invalid', 'must have a step that begins at 0'),
      )
      if (errors.length > 0) throw validationFailed(errors)
      return createStrategy(context, name, plain)
    },
  })
}
