import { list, type Counts } from './lib/counts.ts'
import { openServer } from './lib/database.ts'
import { compareUnderFire } from './search/counts.ts'
import { walkFar } from './search/long-walk.ts'

// Writers change everything that a search of two houses filters, counts, sorts or looks for, beside 50 bids a second.
// Searches of two instances are compared with plain SQL while commits wait, and walks change the instance with each page
// (chaos/search/counts.ts), first one through more than 10,000 matches. Ends at the first difference.
// npx node chaos/search-counts.ts [COMPARISONS] [SEED]

const [comparisons = 3_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
const server = await openServer('search-counts')
const told: Counts = {}

try {
  await walkFar(server.connection, 'far')
  await compareUnderFire(server.connection, { number: 1, seed, comparisons }, told).catch((error: unknown) => {
    throw new Error(`seed ${seed}`, { cause: error })
  })
} finally {
  console.log(list(told))
  await server.release()
  await server.remove()
}
