import { Command } from 'commander'
import { createHouse, listHouses, type NamedHouse } from '../houses/houses.ts'
import { describeCommand, printResult, printTable, withCatalogue, type CommonOptions } from './command.ts'

const printHouse = ({ slug, name, defaultLocale, currency }: NamedHouse) => ({
  slug,
  name,
  locale: defaultLocale,
  currency,
})

const list = describeCommand('list', 'List the houses.').action((options: CommonOptions) =>
  withCatalogue(async ({ db }) => {
    const houses = (await listHouses(db)).map(printHouse)
    await printResult(houses, options, () => printTable(houses.map((house) => Object.values(house))))
  }),
)

const create = describeCommand('create', 'Create a house.')
  .argument('<slug>', 'the name of the house in commands, such as "veiling-noord"')
  .requiredOption('--name <name>', 'the name of the house')
  .requiredOption('--locale <locale>', 'its default language: nl, en, fr, de, es, zh, it, pl or hu')
  .requiredOption('--currency <code>', 'its currency, ISO 4217')
  .action((slug: string, options: CommonOptions & { name: string; locale: string; currency: string }) =>
    withCatalogue(async ({ db }) => {
      const house = await createHouse(
        db,
        { slug, name: options.name, defaultLocale: options.locale, currency: options.currency },
        new Date(),
      )
      await printResult(printHouse(house), options, () => `created the house ${house.slug}`)
    }),
  )

/** `catalogue houses …` */
export const housesCommand = new Command('houses').description('Houses.').addCommand(list).addCommand(create)
