import { Command, InvalidArgumentError, Option } from 'commander'
import { resultsModes, type ResultsMode } from '../../context.ts'
import type { Database } from '../../db/pool.ts'
import type { changeHouse } from '../../houses/houses.ts'
import { parseBytes, printBytes } from '../../values/bytes.ts'
import { normalizeTimeZone } from '../../values/timestamps.ts'
import { reportAway } from '../away.ts'
import { describeCommand, printResult, UsageError, withCatalogue, type CommonOptions } from '../command.ts'
import { printList } from '../table.ts'

async function readHouses(db: Database) {
  const [{ listHouses }, { listStorage }] = await Promise.all([
    import('../../houses/locks.ts'),
    import('../../images/storage.ts'),
  ])
  // In this order a house that is made meanwhile has its storage.
  const found = await listHouses(db)
  const { storage, away } = await listStorage(db)
  const houses = found.map(({ slug, name, defaultLocale, currency, timeZone, defaults }) => {
    const { files, limit } = storage.find((house) => house.slug === slug)!
    return {
      slug,
      name,
      locale: defaultLocale,
      currency,
      time_zone: timeZone,
      results: defaults.results,
      storage_limit: limit,
      bytes_in_use: files ? files.originals + files.renditions : null,
    }
  })
  return { houses, away }
}

const readHouse = async (db: Database, slug: string) =>
  (await readHouses(db)).houses.find((house) => house.slug === slug)

function readLimit(text: string): number {
  const bytes = parseBytes(text)
  if (bytes === undefined) throw new InvalidArgumentError('It must be bytes, such as 50GB, 1.5GiB or 50000000000.')
  return bytes
}

const storageLimit = [
  '--storage-limit <bytes>',
  'the most that its stored pictures may take, originals and renditions together, such as 50GB; 0 is no limit',
  readLimit,
] as const

function readTimeZone(text: string): string {
  if (text === 'none') return text
  const name = normalizeTimeZone(text)
  if (name === undefined)
    throw new InvalidArgumentError('It must be a known IANA name, such as Europe/Amsterdam, or none.')
  return name
}

type SettingOptions = { timeZone?: string; storageLimit?: number; results?: ResultsMode }

// Commander drops an option whose value is null, so `none` becomes null here.
const settingsOf = ({ timeZone, storageLimit, results }: SettingOptions): Parameters<typeof changeHouse>[2] => ({
  timeZone: timeZone === 'none' ? null : timeZone,
  storageLimit,
  results,
})

const timeZone = [
  '--time-zone <name>',
  'the time zone of the house, such as Europe/Amsterdam; none sets no time zone',
  readTimeZone,
] as const

const resultsOption = () =>
  new Option(
    '--results <mode>',
    'who records the results of new sessions: automatic (a job at the close of each lot) or by-staff',
  ).choices(resultsModes)

const list = describeCommand(
  'list',
  'List the houses: short name, name, locale, currency, time zone, who records results, storage limit and storage in use.',
).action((options: CommonOptions) =>
  withCatalogue(async ({ db }) => {
    const { houses, away } = await readHouses(db)
    await printList(houses, 'house', options, [
      { heading: 'house', show: (house) => house.slug },
      { heading: 'name', kind: 'text', show: (house) => house.name },
      { heading: 'locale', show: (house) => house.locale },
      { heading: 'currency', show: (house) => house.currency },
      { heading: 'time zone', show: (house) => house.time_zone ?? 'none' },
      { heading: 'results', show: (house) => house.results },
      {
        heading: 'storage limit',
        kind: 'number',
        show: (house) => (house.storage_limit === 0 ? 'none' : printBytes(house.storage_limit)),
      },
      {
        heading: 'in use',
        kind: 'number',
        show: (house) => (house.bytes_in_use === null ? 'unknown' : printBytes(house.bytes_in_use)),
      },
    ])
    await reportAway(away)
  }),
)

const create = describeCommand('create', 'Create a house.')
  .argument('<slug>', 'the short name of the house in commands, such as "veiling-noord"')
  .requiredOption('--name <name>', 'the name of the house')
  .requiredOption('--locale <locale>', 'its default language: nl, en, fr, de, es, zh, it, pl or hu')
  .requiredOption('--currency <code>', 'its currency, ISO 4217')
  .option(...timeZone)
  .option(...storageLimit)
  .addOption(resultsOption())
  .action(
    async (
      slug: string,
      options: CommonOptions & SettingOptions & { name: string; locale: string; currency: string },
    ) => {
      const [{ checkHouse, createHouse }, { inTransaction }] = await Promise.all([
        import('../../houses/houses.ts'),
        import('../../writes/transaction.ts'),
      ])
      const { name, locale: defaultLocale, currency } = options
      const { results, ...settings } = settingsOf(options)
      const house = { slug, name, defaultLocale, currency, ...settings, defaults: { results } }
      try {
        checkHouse(house)
      } catch (error) {
        throw new UsageError((error as Error).message, { cause: error })
      }
      await withCatalogue(async ({ db }) => {
        await inTransaction({ db }, ({ db: tx }) => createHouse(tx, house, new Date()))
        await printResult(await readHouse(db, slug), options, () => `created the house ${slug}`)
      })
    },
  )

const set = describeCommand('set', 'Change settings of a house.')
  .argument('<slug>', 'the short name of the house')
  .option(...timeZone)
  .option(...storageLimit)
  .addOption(resultsOption())
  .action((named: string, options: CommonOptions & SettingOptions) => {
    const settings = settingsOf(options)
    if (Object.values(settings).every((value) => value === undefined))
      throw new UsageError('give --time-zone, --storage-limit or --results')
    return withCatalogue(async ({ db }) => {
      const [{ requireHouse }, { changeHouse }] = await Promise.all([
        import('../names.ts'),
        import('../../houses/houses.ts'),
      ])
      const { slug } = await requireHouse(db, named)
      await changeHouse(db, slug, settings, new Date())
      await printResult(await readHouse(db, slug), options, () => `changed the house ${slug}`)
    })
  })

/** `catalogue houses …` */
export const housesCommand = new Command('houses')
  .description('Houses.')
  .addCommand(list)
  .addCommand(create)
  .addCommand(set)
