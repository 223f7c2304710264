import { once } from 'node:events'
import nodeModule from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { openCatalogue, unlessAborted, type Catalogue } from '../../running/catalogue.ts'
import { ConfigError, readConfig } from '../../settings/config.ts'
import { contextNow, type House } from '../../context.ts'
import type { Dice } from '../../http/server/faults.ts'
import { createOutageLog } from '../../jobs/outage.ts'
import type { startWorker } from '../../jobs/worker.ts'
import { createLogger } from '../../running/logger.ts'
import type { startService } from '../../running/service.ts'
import { removeAbandonedFolders } from '../../media/temporary.ts'
import { describeListenError, tryPorts } from '../../running/ports.ts'
import { isOneOfSeveral, refuse, startProcesses, tell } from '../../running/processes.ts'
import { terminal } from '../../values/program.ts'
import { printLines, type CommonOptions } from '../command.ts'
import type { showStages } from '../progress.ts'
import { welcome } from './welcome.ts'

/** The options of `catalogue serve`. */
export type ServeOptions = CommonOptions & { demo?: boolean; faults?: Dice; yesTroubleInProduction?: boolean }

const stopMilliseconds = 20_000
// The embedded database closes its connections and completes its files within a second or two.
const abandonMilliseconds = 4_000
// Each of several processes has one processor. Together they have no more connections than two instances.
const [leastConnections, mostConnections] = [5, 40]
// The database cancels a statement after 30 seconds. A connection that takes longer to answer is lost.
const timeoutMilliseconds = 35_000

async function requireDemo({ db }: Catalogue): Promise<void> {
  if (await (await import('../../demo/house.ts')).isDemo(db)) return
  throw new ConfigError(
    '--faults makes requests fail, and this database is no demo: with --demo it needs an empty DATA_DIR; type --yes-trouble-in-production too if you mean this one',
  )
}

async function importParts() {
  const [service, worker, { createTasks }, { createMetrics }] = await Promise.all([
    import('../../running/service.ts'),
    import('../../jobs/worker.ts'),
    import('../../tasks.ts'),
    import('../../running/metrics.ts'),
  ])
  return { ...service, ...worker, createTasks, createMetrics }
}

type Parts = Awaited<ReturnType<typeof importParts>>
type Logger = ReturnType<typeof createLogger>

/**
 * Answers requests as one of several processes until the signal aborts. Node ends it if its parent process has gone.
 */
async function serveBesideOthers(
  parts: Parts,
  catalogue: Catalogue,
  logger: Logger,
  { faults }: ServeOptions,
  signal: AbortSignal,
): Promise<void> {
  const metrics =
    catalogue.config.metricsPort === undefined ? undefined : parts.createMetrics(catalogue, catalogue.config.processes)
  // A process that is killed later leaves its compiled code, which halves the start of the next one. Writing it blocks.
  nodeModule.flushCompileCache?.()
  try {
    const service = await parts.startService(catalogue, logger, metrics, faults)
    tell({ hasWindow: service.hasWindow })
    if (!signal.aborted) await once(signal, 'abort')
    await service.stop()
  } catch (error) {
    await refuse(error as Error)
  }
  await catalogue.close()
  process.exit()
}

/**
 * Starts the service, and returns when it is up. If the signal aborts, the start is cancelled, or the service finishes
 * the requests that have begun. Then the process ends.
 */
export async function serve(
  options: ServeOptions,
  signal: AbortSignal,
  shown: ReturnType<typeof showStages> | undefined,
): Promise<void> {
  const config = readConfig(terminal().env)
  if (options.faults && config.worker === 'only')
    throw new ConfigError('--faults needs HTTP, so WORKER must not be only')
  // With --json, standard output has only the JSON.
  const logger = createLogger(config, options.json ? process.stderr.fd : process.stdout.fd)
  if (!isOneOfSeveral) {
    const ports: Parameters<typeof tryPorts>[0] = []
    if (config.worker !== 'only') ports.push(['PORT', config.host, config.port])
    if (config.metricsPort !== undefined) ports.push(['METRICS_PORT', config.metricsHost, config.metricsPort])
    await tryPorts(ports)
  }
  // Loads while the database starts, which takes longer.
  const importing = importParts()
  const catalogue = await openCatalogue(config, {
    connections: isOneOfSeveral ? Math.max(leastConnections, Math.ceil(mostConnections / config.processes)) : 20,
    timeout: timeoutMilliseconds,
    // Without the values, which belong to a client.
    logStatement: logger.isLevelEnabled('debug') ? (details) => logger.debug(details, 'statement') : undefined,
    signal,
    isMigrated: isOneOfSeveral,
    onDatabase: () => shown?.report('bringing the schema up to date'),
  }).catch((error: unknown) => {
    shown?.end()
    if (signal.aborted) process.exit(0)
    if (isOneOfSeveral) return refuse(error as Error)
    throw error
  })
  const parts = await importing
  const outage = createOutageLog(logger)
  // Some failures of the job queue's library reach no handler. The process survives an outage of the database.
  process.on('unhandledRejection', (error) => {
    if (!outage.noteFailure(error)) throw error
  })
  if (isOneOfSeveral) return serveBesideOthers(parts, catalogue, logger, options, signal)

  let service: Pick<Awaited<ReturnType<typeof startService>>, 'hasWindow' | 'stop'> | undefined
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined
  const metrics = config.metricsPort === undefined ? undefined : parts.createMetrics(catalogue, config.processes)
  let setStarted!: () => void
  const started = new Promise<void>((resolve) => (setStarted = resolve))
  let isGivenUp = false
  let stopped: Promise<void> | undefined
  const company = new AbortController()
  const stopAll = async () => {
    logger.info('stopping')
    company.abort()
    await service?.stop()
    await worker?.stop()
    metrics?.close()
    // The cancelled start may have statements under way, and does not wait for them.
    await (isGivenUp ? catalogue.abandon() : catalogue.close())
    logger.info('stopped')
  }
  const stop = () => (stopped ??= stopAll())

  const skip = ['unhandledRejection', 'SIGINT', 'SIGTERM'] as const
  const delay = stopMilliseconds + abandonMilliseconds
  const grace = closeWithGrace({ delay, logger: false, skip: [...skip] }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'stopping after an error')
    // The port answers before the worker has started.
    const stopping = err ? stop() : started.then(stop)
    const late = sleep(stopMilliseconds, 'late' as const)
    if ((await Promise.race([stopping, late])) !== 'late') return
    logger.error(`some requests or jobs have not ended within ${stopMilliseconds / 1000} seconds`)
    await catalogue.abandon()
    process.exit(1)
  })
  void (signal.aborted ? Promise.resolve() : once(signal, 'abort')).then(() => grace.close())

  try {
    if (options.demo) shown?.report('preparing the demo house')
    const demo = options.demo
      ? await unlessAborted((await import('../../demo/house.ts')).loadDemo(catalogue), signal)
      : undefined
    if (options.faults && !options.yesTroubleInProduction) await requireDemo(catalogue)
    await removeAbandonedFolders(new Date())
    await metrics?.serve(config.metricsHost, config.metricsPort!).catch((error: Error) => {
      throw describeListenError(error, 'METRICS_PORT', config.metricsHost, config.metricsPort!)
    })
    // Before the log's first line, which goes to the same terminal.
    shown?.end()
    // The port comes first, so that a start on a taken port runs no job.
    if (config.worker !== 'only')
      service =
        config.processes === 1
          ? await parts.startService(catalogue, logger, metrics, options.faults)
          : await startProcesses(config.processes, logger)
    if (config.worker !== 'off')
      worker = await parts.startWorker(
        catalogue,
        parts.createTasks(catalogue.config),
        logger,
        metrics?.countJob,
        outage,
      )
    setStarted()
    if (service === undefined) {
      logger.info('working off the job queue')
      return
    }
    if (options.json && demo?.noKey !== undefined) logger.warn(`no key is shown: ${demo.noKey}`)
    if (options.faults) logger.warn(options.faults, 'requests are refused, cut and delayed on purpose')
    await printLines(welcome(config.publicUrl, service.hasWindow, demo ?? {}, options.json)).catch(() => undefined)
    // A program that reads JSON finds the house as it was loaded.
    if (demo?.house && !options.json) await keepCompany(catalogue, demo.house, company.signal)
  } catch (error) {
    shown?.end()
    isGivenUp = signal.aborted
    setStarted()
    if (isGivenUp && error === signal.reason) return
    // The process would end with 0 once no work is left.
    grace.uninstall()
    await stop()
    throw error
  }
}

/** Places bids of demo bidders on the demo house's lots, and reports the progress of its pictures. */
async function keepCompany({ db, media }: Catalogue, house: House, signal: AbortSignal): Promise<void> {
  const { runDemoBidders } = await import('../../demo/bidders.ts')
  const { watchPictures } = await import('../../demo/pictures.ts')
  void runDemoBidders(() => contextNow(db, house, media.publicBase), signal)
  void watchPictures({ db, house }, signal, (text) => process.stderr.write(`${text}\n`))
}
