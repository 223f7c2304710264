import { InvalidArgumentError } from 'commander'
import type { Catalogue } from '../catalogue.ts'
import { ConfigError, readConfig } from '../config.ts'
import type { House } from '../context.ts'
import type { Dice } from '../request/faults.ts'
import { describeCommand, printLines, type CommonOptions } from './command.ts'

const stopMilliseconds = 20_000
const stopSignals = ['SIGINT', 'SIGTERM'] as const
// The database cancels a statement after 30 seconds. A connection that takes longer to answer is lost.
const timeoutMilliseconds = 35_000

type ServeOptions = { demo?: boolean; faults?: Dice; yesTroubleInProduction?: boolean }

function parseDice(text: string): Dice {
  const [, seed, rate = '0.1'] = /^([^:]+)(?::(\d(?:\.\d+)?))?$/.exec(text) ?? []
  if (seed === undefined || Number(rate) > 1)
    throw new InvalidArgumentError('It must be a seed, or a seed and a rate from 0 to 1, such as 7:0.3.')
  return { seed, rate: Number(rate) }
}

async function requireDemo({ db }: Catalogue): Promise<void> {
  if (await (await import('../backoffice/demo/house.ts')).isDemo(db)) return
  throw new ConfigError(
    '--faults makes requests fail, and this database is no demo: with --demo it needs an empty DATA_DIR; type --yes-trouble-in-production too if you mean this one',
  )
}

// Everything that serving takes. A list of the commands needs none of it.
async function loadParts() {
  const [grace, catalogue, outage, worker, tasks, logger, service, metrics, temporary] = await Promise.all([
    import('close-with-grace'),
    import('../catalogue.ts'),
    import('../jobs/outage.ts'),
    import('../jobs/worker.ts'),
    import('../tasks.ts'),
    import('../logger.ts'),
    import('../service.ts'),
    import('../metrics.ts'),
    import('../media/temporary.ts'),
  ])
  const closeWithGrace = grace.default
  return {
    closeWithGrace,
    ...catalogue,
    ...outage,
    ...worker,
    ...tasks,
    ...logger,
    ...service,
    ...metrics,
    ...temporary,
  }
}

/** `catalogue serve`: runs until SIGTERM or SIGINT. Then it finishes the requests that have begun. */
export const serveCommand = describeCommand(
  'serve',
  'Migrate the database, then serve the interface until SIGTERM or SIGINT.',
)
  .option('--demo', 'load the demo house into an empty database, and print an address and a key to try')
  .option('--faults <seed[:rate]>', 'refuse, cut and delay requests, to test programs with (rate 0.1)', parseDice)
  .option('--yes-trouble-in-production', 'let --faults do so with houses that are no demo')
  .action(async (options: CommonOptions & ServeOptions) => {
    const config = readConfig()
    if (options.faults && config.worker === 'only')
      throw new ConfigError('--faults needs HTTP, so WORKER must not be only')
    const parts = await loadParts()
    const { closeWithGrace, createLogger, createMetrics, openCatalogue, removeAbandonedFolders, tasks } = parts
    const { createOutageLog, describeListenError, startService, startWorker } = parts
    // With --json, standard output has the JSON and nothing else.
    const logger = createLogger(config, options.json ? process.stderr.fd : process.stdout.fd)
    // The first process of a container gets only the signals that it listens for. There is nothing to finish yet.
    const abort = () => process.exit(0)
    for (const signal of stopSignals) process.on(signal, abort)
    const catalogue = await openCatalogue(config, {
      connections: 20,
      timeout: timeoutMilliseconds,
      // Without the values: they belong to a client.
      logStatement: logger.isLevelEnabled('debug') ? (details) => logger.debug(details, 'statement') : undefined,
    })
    let service: Awaited<ReturnType<typeof startService>> | undefined
    let worker: Awaited<ReturnType<typeof startWorker>> | undefined
    const metrics = config.metricsPort === undefined ? undefined : createMetrics(catalogue)
    let setStarted!: () => void
    const started = new Promise<void>((resolve) => (setStarted = resolve))
    let stopped: Promise<void> | undefined
    const bidders = new AbortController()
    const stopAll = async () => {
      logger.info('stopping')
      bidders.abort()
      await service?.stop()
      await worker?.stop()
      metrics?.close()
      await catalogue.close()
      logger.info('stopped')
    }
    const stop = () => (stopped ??= stopAll())
    // Some failures of the job queue's library reach no handler. A database that is away is no reason to end.
    const outage = createOutageLog(logger)
    process.on('unhandledRejection', (error) => {
      if (!outage.noteFailure(error)) throw error
    })
    const skip = ['unhandledRejection' as const, ...stopSignals]
    const grace = closeWithGrace({ delay: stopMilliseconds, logger: false, skip }, async ({ err }) => {
      if (err) logger.fatal({ err }, 'stopping after an error')
      // The port answers before the worker has started.
      else await started
      await stop()
    })
    // Under node --watch a signal of the terminal comes twice. The second one changes nothing.
    let stopping = false
    const stopOnce = () => {
      if (!stopping) grace.close()
      stopping = true
    }
    for (const signal of stopSignals) process.off(signal, abort).on(signal, stopOnce)
    try {
      const demo = options.demo ? await (await import('../backoffice/demo/house.ts')).loadDemo(catalogue) : undefined
      if (options.faults && !options.yesTroubleInProduction) await requireDemo(catalogue)
      await removeAbandonedFolders(new Date())
      await metrics?.serve(config.metricsHost, config.metricsPort!).catch((error: Error) => {
        throw describeListenError(error, 'METRICS_PORT', config.metricsHost, config.metricsPort!)
      })
      // The port comes first, so that a start on a taken port runs no job.
      if (config.worker !== 'only') service = await startService(catalogue, logger, metrics, options.faults)
      if (config.worker !== 'off') worker = await startWorker(catalogue, tasks, logger, metrics?.countJob, outage)
      setStarted()
      if (service === undefined) {
        logger.info('working off the job queue')
        return
      }
      // A program that reads JSON finds the house as it was loaded.
      if (demo?.house && !options.json) await startBidders(catalogue, demo.house, bidders.signal)
      const base = `${config.publicUrl}/api/v2`
      const [key, noKey] = [demo?.key, demo?.noKey]
      // The fragment of an address is sent nowhere, and the page takes it away.
      const window = service.hasWindow ? `${config.publicUrl}/${key === undefined ? '' : `#key=${key}`}` : undefined
      if (options.json && noKey !== undefined) logger.warn(`no key is shown: ${noKey}`)
      if (options.faults) logger.warn(options.faults, 'requests are refused, cut and delayed on purpose')
      const lines = options.json
        ? [JSON.stringify({ url: base, key, window: key && window })]
        : welcome(base, config.publicUrl, key, noKey, window)
      await printLines(lines).catch(() => undefined)
    } catch (error) {
      // It would end the process with 0 when nothing is left to do.
      grace.uninstall()
      setStarted()
      await stop()
      throw error
    }
  })

async function startBidders({ db, media }: Catalogue, house: House, signal: AbortSignal): Promise<void> {
  const { runDemoBidders } = await import('../backoffice/demo/bidders.ts')
  const clock = () => new Date()
  void runDemoBidders(() => ({ db, house, now: clock(), clock, mediaBase: media.publicBase }), signal)
}

function welcome(
  base: string,
  origin: string,
  key: string | undefined,
  noKey: string | undefined,
  window: string | undefined,
): string[] {
  const lines = ['', `  The catalogue is served at   ${base}`, `  and documented at            ${origin}/docs`]
  if (window !== undefined)
    lines.push(`  ${key === undefined ? 'The window is at' : 'See the sale at'}`.padEnd(31) + window)
  if (noKey !== undefined) lines.push(`  No key is shown:             ${noKey}`)
  else if (key === undefined) {
    lines.push('  Keys are issued by           bin/catalogue keys create')
  } else {
    lines.push(
      `  The demo house's key is      ${key}`,
      '',
      '  Try:',
      '',
      `  curl -g -H 'Authorization: Bearer ${key}' '${base}/lots?limit=3&expand[]=item'`,
    )
  }
  return [...lines, '']
}
