import { createServer } from 'node:http'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/pool.ts'
import { listStorage } from '../images/storage.ts'
import { countDueJobs } from '../jobs/statements.ts'
import { answerWith, askProcesses, isOneOfSeveral } from './processes.ts'

/** The counters of a process, and the server that Prometheus scrapes. */
export type Metrics = ReturnType<typeof createMetrics>

type Pool = { totalCount: number; idleCount: number; waitingCount: number }

type SearchSizes = { bytes: number; houses: Record<string, number> }

// The library declares its types as numbers.
type Counts = { type: unknown }[]

/**
 * Sums the counters of several processes. A process that has ended keeps its last counters in the sums, because a
 * counter must not fall. Its gauges are dropped.
 */
function createSums() {
  const last = new Map<number, Counts>()
  let ended: Counts = []
  const processes = new Gauge({
    name: 'catalogue_processes',
    help: 'Processes that answer requests: fewer than PROCESSES while one is replaced.',
    registers: [],
  })
  return async (): Promise<string> => {
    const answers = await askProcesses<Counts>()
    for (const [id, counts] of answers) if (counts !== undefined) last.set(id, counts)
    processes.set([...answers.values()].filter((counts) => counts !== undefined).length)
    for (const [id, counts] of last) {
      if (answers.has(id)) continue
      last.delete(id)
      ended = AggregatorRegistry.aggregate([ended, counts.filter(({ type }) => type !== 'gauge')]).getMetricsAsArray()
    }
    const sums = AggregatorRegistry.aggregate([ended, ...last.values()])
    sums.registerMetric(processes)
    return sums.metrics()
  }
}

// The metrics of each process: the requests that it answers.
function createOwnMetrics(pool: Pool) {
  const own = new Registry()
  const registers = [own]
  collectDefaultMetrics({ register: own })
  const requests = new Histogram({
    name: 'catalogue_request_seconds',
    help: 'Time to answer requests, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const refusals = new Counter({
    name: 'catalogue_rate_limit_refusals_total',
    help: 'Requests answered with 429.',
    registers,
  })
  const cacheUses = new Counter({
    name: 'catalogue_answers_total',
    help: 'Uses of the response cache: the response was still current (kept), or was built.',
    labelNames: ['outcome'],
    registers,
  })
  const cacheBytes = new Gauge({
    name: 'catalogue_answers_bytes',
    help: 'Memory of the response cache, as counted against ANSWER_CACHE_MIB.',
    registers,
  })
  let measureSearch = (): SearchSizes => ({ bytes: 0, houses: {} })
  const searchBytes = new Gauge({
    name: 'catalogue_search_bytes',
    help: 'Memory of the search indexes, as counted against SEARCH_MEMORY_MIB.',
    registers: [],
    collect() {
      this.set(measureSearch().bytes)
    },
  })
  const searchHouses = new Gauge({
    name: 'catalogue_search_houses',
    help: 'Houses with a search index: whole, displaced by others for a while, or too large for SEARCH_MEMORY_MIB.',
    labelNames: ['state'],
    registers: [],
    collect() {
      for (const [state, count] of Object.entries(measureSearch().houses)) this.set({ state }, count)
    },
  })
  const connections = new Gauge({
    name: 'catalogue_database_connections',
    help: 'Connections to the database, and requests that wait for one.',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waited_for' }, pool.waitingCount)
    },
  })
  for (const gauge of [searchBytes, searchHouses, connections]) own.registerMetric(gauge)
  return {
    own,
    countRequest: (method: string, route: string, status: number, seconds: number) => {
      requests.observe({ method, route, status: String(status) }, seconds)
      if (status === 429) refusals.inc()
    },
    countCacheUse: (outcome: 'kept' | 'built', bytes: number) => {
      cacheUses.inc({ outcome })
      cacheBytes.set(bytes)
    },
    watchSearch: (measure: () => SearchSizes) => {
      measureSearch = measure
    },
  }
}

// The metrics that one process reports for all: worker, queue and store.
function createSharedMetrics(db: Database) {
  const shared = new Registry()
  const registers = [shared]
  const jobs = new Histogram({
    name: 'catalogue_job_seconds',
    help: 'Time of job attempts, by task and outcome; derive_renditions makes the renditions of one image.',
    labelNames: ['task', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
    registers,
  })
  const queued = new Gauge({
    name: 'catalogue_jobs',
    help: 'Jobs that are due, by task.',
    labelNames: ['task'],
    registers,
  })
  const oldest = new Gauge({
    name: 'catalogue_jobs_oldest_seconds',
    help: 'How long the oldest due job has waited.',
    registers,
  })
  const storage = new Gauge({
    name: 'catalogue_storage_bytes',
    help: 'Bytes of the stored pictures of each house: of its originals, and of what was made from them.',
    labelNames: ['house', 'files'],
    registers,
  })
  async function measureStorage(): Promise<void> {
    const { storage: houses } = await listStorage(db).finally(() => storage.reset())
    for (const { slug: house, files } of houses) {
      if (!files) continue
      storage.set({ house, files: 'originals' }, files.originals)
      storage.set({ house, files: 'renditions' }, files.renditions)
    }
  }
  // Runs before the registry is read, because the registry does not let one gauge wait for another. Without the
  // database these gauges are left out.
  async function measureQueue(): Promise<void> {
    const due = await countDueJobs(db).finally(() => {
      queued.reset()
      oldest.remove()
    })
    for (const { task, jobs: count } of due) queued.set({ task }, count)
    oldest.set(Math.max(0, ...due.map(({ seconds }) => seconds)))
  }
  return {
    shared,
    measure: () => Promise.allSettled([measureQueue(), measureStorage()]),
    countJob: (task: string, outcome: 'success' | 'failure', seconds: number) => {
      jobs.observe({ task, outcome }, seconds)
    },
  }
}

/**
 * Creates the metrics. Each scrape reads the database and the pool. With several processes, each counts its own
 * answers, and the primary process reports the sums.
 */
export function createMetrics({ db, pool }: { db: Database; pool: Pool }, processes = 1) {
  const { own, countRequest, countCacheUse, watchSearch } = createOwnMetrics(pool)
  const { shared, measure, countJob } = createSharedMetrics(db)
  if (isOneOfSeveral) answerWith(() => own.getMetricsAsJSON())
  const answered = processes > 1 ? createSums() : () => own.metrics()
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') response.writeHead(404).end()
    else {
      void measure()
        .then(() => Promise.all([answered(), shared.metrics()]))
        .then((texts) => response.writeHead(200, { 'content-type': shared.contentType }).end(texts.join('\n')))
        .catch(() => response.writeHead(503).end())
    }
  })
  return {
    countRequest,
    countCacheUse,
    watchSearch,
    countJob,
    serve: (host: string, port: number) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port, host, resolve)
      }),
    close: () => server.close(),
  }
}
