import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createStrategy } from '../references/strategies.ts'
import { checkCurrencies } from '../http/body/validation.ts'
import { single, amountFrom } from '../values/shapes.ts'
import { serveWrite } from '../writes/operations.ts'
import { mostSteps, shortBytes } from '../values/bounds.ts'
import { mostEstimate } from '../values/money.ts'

const step = Type.Object(
  { from: amountFrom(0), increment: amountFrom(1, mostEstimate) },
  { additionalProperties: false },
)

/** The body of `POST /increment_strategies`. */
const StrategyCreate = Type.Object(
  {
    name: Type.String({ pattern: '\\S', 'x-max-bytes': shortBytes }),
    steps: Type.Array(step, { maxItems: mostSteps }),
  },
  { $id: 'IncrementStrategyCreate', additionalProperties: false },
)

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
    write(context, { body: { name, steps } }) {
      const plain = steps.map(({ from, increment }) => ({ from: from.amount, increment: increment.amount }))
      return createStrategy(context, name, plain)
    },
  })
}
