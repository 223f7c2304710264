import type { Context } from '../context.ts'
import { markChanged } from '../writes/touch.ts'

/** A step of an increment strategy: from this amount on, bids rise by the increment. Both in minor units of the house. */
export type Step = { from: number; increment: number }

/** Whether the house has an increment strategy of this name. */
export async function hasStrategy({ db, house }: Pick<Context, 'db' | 'house'>, name: string): Promise<boolean> {
  const strategy = await db
    .selectFrom('catalogue.increment_strategies')
    .select('id')
    .where('house_id', '=', house.id)
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst()
  return strategy !== undefined
}

/** Adds an increment strategy with its steps, at least one. */
export async function insertStrategy(
  { db, house, now }: Pick<Context, 'db' | 'house' | 'now'>,
  { steps, ...columns }: { public_id: string; name: string; steps: readonly Step[] },
): Promise<void> {
  const { id } = await db
    .insertInto('catalogue.increment_strategies')
    .values({ ...columns, house_id: house.id, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = steps.map(({ from, increment }) => ({
    house_id: house.id,
    increment_strategy_id: id,
    from_amount: from.toString(),
    increment_amount: increment.toString(),
  }))
  await db.insertInto('catalogue.increment_steps').values(rows).execute()
  await markChanged({ db, house }, 'increment_strategy', [id])
}
