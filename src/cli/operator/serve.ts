import { InvalidArgumentError } from 'commander'
import type { Dice } from '../../http/server/faults.ts'
import { describeCommand } from '../command.ts'
import { showStages } from '../progress.ts'
import type { ServeOptions } from './serving.ts'

function parseDice(text: string): Dice {
  const [, seed, rate = '0.1'] = /^([^:]+)(?::(\d(?:\.\d+)?))?$/.exec(text) ?? []
  if (seed === undefined || Number(rate) > 1)
    throw new InvalidArgumentError('It must be a seed, or a seed and a rate from 0 to 1, such as 7:0.3.')
  return { seed, rate: Number(rate) }
}

/** `catalogue serve`: runs until SIGTERM or SIGINT. Then it finishes the requests that have begun. */
export const serveCommand = describeCommand(
  'serve',
  'Migrate the database, then serve the interface until SIGTERM or SIGINT.',
)
  .option('--demo', 'load the demo house into an empty database, and print an address and a key to try')
  .option('--faults <seed[:rate]>', 'refuse, cut off and delay requests, to test client programs (rate 0.1)', parseDice)
  .option('--yes-trouble-in-production', 'allow --faults with houses other than the demo house')
  .action(async (options: ServeOptions) => {
    // The first process of a container only gets the signals that it listens for. Under npm a terminal's signal arrives
    // twice; the second one changes nothing.
    const stopping = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
    const stages = options.demo && !options.json ? showStages() : undefined
    stages?.report('starting the database')
    const { serve } = await import('./serving.ts')
    await serve(options, stopping.signal, stages)
  })
