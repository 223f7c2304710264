import { Command } from 'commander'
import type { Static } from 'typebox'
import type { IncrementStrategy } from '../../references/schema.ts'
import type { Money } from '../../values/money.ts'
import { printMoney } from '../../values/typed-money.ts'
import { describeCommand, houseOption, printCount, printResult, utcOption } from '../command.ts'
import type { CommonOptions } from '../command.ts'
import { withRecords } from './named-records.ts'
import { printList } from '../table.ts'
import { printTime } from '../times.ts'

type StrategyDocument = Static<typeof IncrementStrategy>

const printSteps = ({ steps }: { steps: { from: Money; increment: Money }[] }) =>
  steps.map(({ from, increment }) => `from ${printMoney(from)}: ${printMoney(increment)}`).join('; ')

const create = describeCommand('create', 'Create an increment strategy: by how much bids rise from which amount on.')
  .argument('<name>', 'its name, which no other strategy of the house has')
  .requiredOption(
    '--file <file>',
    'its steps in minor units (cents): CSV with the headings from and increment, or NDJSON with these fields; - is standard input',
  )
  .option(...houseOption)
  .action(async (name: string, { file, ...options }: CommonOptions & { file: string }) => {
    const [{ createStrategy }, { readSteps }, { openSource }] = await Promise.all([
      import('../../references/strategies.ts'),
      import('../files/step-file.ts'),
      import('../../load/source.ts'),
    ])
    const source = await openSource(file)
    await withRecords({}, options, async (context) => {
      const { json } = await createStrategy(context, name, await readSteps(source))
      await printResult(
        JSON.parse(json) as StrategyDocument,
        options,
        ({ id, steps }) => `created the increment strategy ${id} "${name}": ${printCount(steps.length, 'step')}`,
      )
    })
  })

const list = describeCommand(
  'list',
  'List the increment strategies of a house, newest first, with the number of sessions.',
)
  .option(...houseOption)
  .option('--name <text>', 'only strategies with this name')
  .option(...utcOption)
  .action((options: CommonOptions & { name?: string }) =>
    withRecords({}, options, async (context) => {
      const { listStrategies } = await import('../../references/queries.ts')
      const found = await listStrategies(context, options)
      const strategies = found.map(({ id, name, steps, sessions, created_at }) => {
        return { id, name, steps, sessions, created_at }
      })
      await printList(strategies, 'increment strategy', options, [
        { heading: 'strategy', show: (strategy) => strategy.name ?? '-' },
        { heading: 'steps', kind: 'text', show: printSteps },
        { heading: 'sessions', kind: 'number', show: (strategy) => String(strategy.sessions) },
        { heading: 'created', show: (strategy) => printTime(strategy.created_at, options) },
        { heading: 'id', show: (strategy) => strategy.id ?? '-' },
      ])
    }),
  )

/** `catalogue strategies …` */
export const strategiesCommand = new Command('strategies')
  .description('Increment strategies: by how much bids rise.')
  .addCommand(list)
  .addCommand(create)
