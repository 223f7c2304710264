import type { Scope } from '../context.ts'

/** Whether any lot of the session has a bid, archived lots included. */
export async function sessionHasBids({ db, house }: Scope, session: string): Promise<boolean> {
  const { found } = await db
    .selectNoFrom((select) =>
      select
        .exists(
          select
            .selectFrom('catalogue.lots as l')
            .innerJoin('catalogue.bids as b', (join) =>
              join.onRef('b.house_id', '=', 'l.house_id').onRef('b.lot_id', '=', 'l.id'),
            )
            .where('l.house_id', '=', house.id)
            .where('l.session_id', '=', session),
        )
        .$castTo<boolean>()
        .as('found'),
    )
    .executeTakeFirstOrThrow()
  return found
}
