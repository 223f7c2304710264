import { constants, setPriority } from 'node:os'
import { Command } from 'commander'
import type { Left } from '../../images/missing.ts'
import { running } from '../../values/program.ts'
import { exitCodes } from '../exit-codes.ts'
import { describeCommand, needed, printCount, printResult, withCatalogue, type CommonOptions } from '../command.ts'
import { showProgress } from '../progress.ts'

const derive = describeCommand('derive', 'Make what pictures of an earlier version lack, behind everything else.')
  .option('--missing', 'the sources and the placeholder of pictures that have none')
  .option('--house <slug>', 'only the pictures of this house')
  .action((options: CommonOptions & { missing?: boolean }) => {
    if (!options.missing) throw needed('--missing')
    return withCatalogue(async ({ db, media }) => {
      const [{ countMissing, deriveMissing }, { listHouses }, { requireHouse }] = await Promise.all([
        import('../../images/missing.ts'),
        import('../../houses/locks.ts'),
        import('../names.ts'),
      ])
      const { house } = options
      const houses = house === undefined ? await listHouses(db) : [await requireHouse(db, house)]
      // The processes that decode get the priority of this one.
      setPriority(constants.priority.PRIORITY_LOW)
      const total = await countMissing(db, houses)
      let rest = ''
      const print = (count: number) => `${count.toLocaleString('en')} of ${printCount(total, 'image')}${rest}`
      const shown = showProgress({ doing: 'deriving', done: 'derived', print, step: 100 }, house ?? 'all houses')
      try {
        const result = await deriveMissing({ db, media }, houses, (images) => shown.report(images))
        const { length } = result.left
        if (length > 0) {
          rest = `, ${length.toLocaleString('en')} left`
          running().exitCode = exitCodes.refused
        }
        shown.end(result.made)
        await printResult(result, options, ({ made, left }) => [
          `made the sources of ${printCount(made, 'image')}`,
          ...left.map(printLeft),
        ])
      } catch (error) {
        shown.fail()
        throw error
      }
    })
  })

const printLeft = ({ house, item, image, reason }: Left) => `left: ${image} of ${item} (${house}): ${reason}`

/** `catalogue images …` */
export const imagesCommand = new Command('images').description('Pictures that are there already.').addCommand(derive)
