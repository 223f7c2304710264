import { InvalidArgumentError, Option, type Command } from 'commander'
import type { ChosenLots, Range } from '../../chosen-lots.ts'
import type { Context } from '../../../context.ts'
import { describeCommand, houseOption, printCount, printResult, UsageError, type CommonOptions } from '../../command.ts'
import { withLotFile } from './lot-files.ts'
import { changeNamedLots, changeRecords } from '../named-records.ts'

type Options = CommonOptions & { session?: string; numbers?: Range[]; file?: string }

/** Reads lot numbers such as `1-120,124`. */
export function readRanges(text: string): Range[] {
  return text.split(',').map((part) => {
    const [, first, last = first] = /^\s*(-?\d{1,10})(?:-(-?\d{1,10}))?\s*$/.exec(part) ?? []
    const range = { first: Number(first), last: Number(last) }
    if (first === undefined || range.last < range.first)
      throw new InvalidArgumentError('It must be numbers and ranges of numbers, such as 1-120,124.')
    return range
  })
}

/** What a command on several lots is called, says of itself and of lots that it has changed, and sets. */
type Switch = { name: string; description: string; done: string; sets: { active: boolean } | { held: boolean } }

async function setLots(context: Context, chosen: ChosenLots, sets: Switch['sets']) {
  if ('active' in sets) return (await import('../../chosen-lots.ts')).switchLots(context, chosen, sets.active)
  const { changeLots } = await import('../../../lots/changes.ts')
  return changeLots(
    context,
    chosen.uuids.map((lot) => ({ lot, ...sets })),
  )
}

/** `catalogue lots activate` and the like: lots by their names, of a session, or of a file. */
export function describeSwitch({ name, description, done, sets }: Switch): Command {
  const switchChosen = async (context: Context, chosen: ChosenLots, options: CommonOptions) => {
    const { documents, changed } = await setLots(context, chosen, sets)
    const rest = documents.length - changed
    await printResult(
      documents.map((json) => JSON.parse(json) as unknown),
      options,
      () =>
        `${done} ${printCount(changed, 'lot')}${rest > 0 ? `; ${rest} already ${rest === 1 ? 'was' : 'were'}` : ''}`,
    )
  }
  return describeCommand(name, description)
    .argument('[lots...]', 'lots by their ids, or SESSION/NUMBER')
    .option('--session <id>', 'the lots of this session, by its id or external reference')
    .option('--numbers <numbers>', 'of the session only the lots with these numbers, such as 1-120,124', readRanges)
    .addOption(
      new Option(
        '--file <file>',
        'the lots of a file with session and number, as for "lots add"; - is standard input',
      ).conflicts(['session', 'numbers']),
    )
    .option(...houseOption)
    .action(async (lots: string[], { session, numbers, file, ...options }: Options) => {
      if ([lots.length > 0, session !== undefined, file !== undefined].filter(Boolean).length !== 1)
        throw new UsageError('say which lots: their names, or --session, or --file')
      if (numbers && session === undefined) throw new UsageError("option '--numbers <numbers>' needs --session")
      if (session !== undefined)
        return changeRecords({ session }, options, async (context, records, names) => {
          const { chooseLots } = await import('../../chosen-lots.ts')
          await switchChosen(context, await chooseLots(context, records.session, names, numbers), options)
        })
      if (file === undefined)
        return changeNamedLots(lots, options, (context, uuids) =>
          switchChosen(context, { uuids: [...new Set(uuids)] }, options),
        )
      const { readNumberedLots } = await import('../../files/lot-file.ts')
      return withLotFile(file, options, readNumberedLots, async (context, lotFile, announceSession, print) => {
        const { findLotsOfFile } = await import('../../chosen-lots.ts')
        await switchChosen(context, await findLotsOfFile(context, lotFile, announceSession, print), options)
      })
    })
}
