import { percentile } from '../test/support/statistics.ts'
import { closeSales } from './close-sale/run.ts'
import { list } from './lib/counts.ts'

// Closes sales: 200 timed lots each close within a minute, under 50 bids a second, with holds, withdrawals, cancelled
// bids and results that are taken back. Two instances have clocks ten minutes apart, which step. Instances, the worker
// and PostgreSQL are killed, and commits are broken. Afterwards every lot has one result, at its highest bid that stands;
// no bid is later than its result; no acknowledged order is lost, every refused one had its reason, and the journal says
// the same. A sale takes two minutes. Prints how late the results of the job were.
// With `calm` 500 lots close within ten seconds, and nothing is killed or broken.
// npx node chaos/close-sale.ts [SALES] [SEED] [calm]

const [sales = 10, seed = Date.now() % 1_000_000] = process.argv.slice(2, 4).map(Number)
const calm = process.argv[4] === 'calm'
const terms = calm ? { lots: 500, seconds: 10, calm } : { lots: 200, seconds: 60, calm }

console.log(`seed ${seed}`)
const told = await closeSales({ sales, seed, ...terms }, ({ counts, results, refused, kills }, sale) =>
  console.log(`sale ${sale}: ${list({ ...counts, ...results })}; refused: ${list(refused)}; struck: ${list(kills)}`),
)
const late = told.flatMap((one) => one.late)
const [p50, p99, most] = [0.5, 0.99, 1].map((share) => (percentile(late, share) / 1_000).toFixed(2))
console.log(
  `${sales} sales of ${terms.lots} lots, nothing wrong: ${late.length} results of the job, p50 ${p50} s, p99 ${p99} s, at most ${most} s after they were due`,
)
