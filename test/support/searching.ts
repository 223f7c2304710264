import type { House } from '../../src/context.ts'
import type { Connection, Database } from '../../src/db/pool.ts'
import type { Searcher } from '../../src/search/searcher.ts'
import { openTunnel } from './tunnel.ts'

/** Counts the items of a house that a search finds, without `q` all. */
export async function countFound(searcher: Searcher, db: Database, house: House, q?: string) {
  const unfiltered = { kind: 'item', filters: {}, sorting: undefined, facets: [], walk: undefined } as const
  const asked = { ...unfiltered, q, after: undefined, limit: 1, categories: true }
  const { count, isComplete } = await searcher.search({ db, house, now: new Date() }, asked)
  return { count, isComplete }
}

/** A way to the database that holds statements with this text until `open`. `held`: when it holds the first one. */
export async function openGate(connection: Connection, text: string) {
  const [held, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const tunnel = await openTunnel(connection, (client, server) => {
    const pass = async (before: Promise<void>, piece: Buffer) => {
      await before
      if (piece.includes(text)) {
        held.resolve()
        await opened.promise
      }
      server.write(piece)
    }
    let passed = Promise.resolve()
    client.on('data', (piece) => void (passed = pass(passed, piece))).on('close', () => server.destroy())
    server.on('data', (piece) => client.write(piece))
  })
  return { ...tunnel, held: held.promise, open: () => opened.resolve() }
}
