import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Context, House } from '../../context.ts'
import type { KnownKind } from '../../reads/names.ts'
import { printId } from '../../values/ids.ts'
import { textNames, type TextName } from '../../values/item-texts.ts'
import { locales, type Locale } from '../../values/locales.ts'
import { readAmountRange } from '../amounts.ts'
import { describeCommand, houseOption, printResult, UsageError, type CommonOptions } from '../command.ts'
import { changeRecords, withRecords } from './named-records.ts'

type Range = [low: number, high: number]

type Options = CommonOptions & { [Name in TextName]?: string } & {
  locale?: Locale
  estimate?: string | false
  estimateMinor?: Range
  seller?: string
  consignment?: string
  category?: string[]
  maker?: string[]
  deliveryClass?: string
}

function readMinorRange(text: string): Range {
  const [, low, high] = /^(\d{1,16})-(\d{1,16})$/.exec(text) ?? []
  if (low === undefined) throw new InvalidArgumentError('It must be two whole numbers, such as 40000-60000.')
  return [Number(low), Number(high)]
}

/** Adds what people set of an item. */
function describeItem(command: Command): Command {
  for (const name of textNames) command.option(`--${name} <text>`, `the ${name}`)
  return command
    .addOption(new Option('--locale <locale>', 'the language of these texts, else that of the house').choices(locales))
    .option('--estimate <money>', 'both bounds, with the currency or all decimals: "EUR 400-600" or 400,00-600,00')
    .addOption(
      new Option('--estimate-minor <n-n>', 'the same in minor units (cents), for programs')
        .argParser(readMinorRange)
        .conflicts('estimate'),
    )
    .option('--seller <seller>', 'the seller, by number, name or id')
    .option('--consignment <consignment>', 'the consignment, by number or id')
    .option('--category <category...>', 'the categories, by slug, name or id')
    .option('--maker <maker...>', 'the makers, by name or id')
    .option('--delivery-class <class>', 'the delivery class, by name or id')
    .option(...houseOption)
}

type Body = Record<string, unknown>

const textsOf = (options: Options): Body =>
  Object.fromEntries(textNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))

// An empty title is left for the check of the body: an item always has one.
const cleared = (texts: Body): Body =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text === '' && name !== 'title' ? null : text]))

function boundsOf({ estimate, estimateMinor }: Options, house: House) {
  if (estimate === false) return null
  const range = typeof estimate === 'string' ? readAmountRange('--estimate', estimate, house) : estimateMinor
  if (!range) return undefined
  const [low, high] = range.map((amount) => ({ amount, currency: house.currency }))
  return { low, high }
}

async function findIds({ db, house }: Context, kind: KnownKind, given: string[]): Promise<string[]> {
  const { findNames } = await import('../names.ts')
  const names = given.filter((name) => name !== '')
  const found = await findNames(db, house, kind, names)
  return names.map((name) => {
    const record = found.get(name)!
    if (record instanceof Error) throw record
    return printId(kind, record.uuid)
  })
}

// The body of the operation for what is typed. An empty text clears.
async function toBody(context: Context, options: Options): Promise<Body> {
  const { defaultLocale } = context.house
  const { locale = defaultLocale, seller, consignment, category, maker, deliveryClass } = options
  const texts = cleared(textsOf(options))
  const body: Body = locale === defaultLocale ? texts : { translations: { [locale]: texts } }
  const estimate = boundsOf(options, context.house)
  if (estimate !== undefined) body['estimate'] = estimate
  for (const [kind, name] of [
    ['seller', seller],
    ['consignment', consignment],
    ['delivery_class', deliveryClass],
  ] as const)
    if (name !== undefined) body[kind] = (await findIds(context, kind, [name]))[0] ?? null
  if (category) body['categories'] = await findIds(context, 'category', category)
  if (maker) body['makers'] = await findIds(context, 'maker', maker)
  return body
}

function requireTexts(options: Options): void {
  if (options.locale !== undefined && Object.keys(textsOf(options)).length === 0)
    throw new UsageError("option '--locale' needs a text")
}

const printItem = (json: string, done: string, options: CommonOptions) =>
  printResult(
    JSON.parse(json) as { id: string; external_reference: string | null; title: string },
    options,
    ({ id, external_reference, title }) => `${done} the item ${external_reference ?? '-'} ${id} "${title}"`,
  )

/** `catalogue items create` */
export const createItem = describeItem(
  describeCommand('create', 'Make an item.').requiredOption(
    '--external-reference <text>',
    'the reference, which no other item of the house has',
  ),
).action(({ externalReference: external_reference, ...options }: Options & { externalReference: string }) => {
  requireTexts(options)
  return withRecords({}, options, async (context) => {
    const { slug, defaultLocale } = context.house
    if ((options.locale ?? defaultLocale) !== defaultLocale)
      throw new UsageError(
        `a new item has its texts in the language of the house ${slug}, ${defaultLocale}: add others with items set`,
      )
    const [{ createItem }, { parseItemCreate }] = await Promise.all([
      import('../../items/creation.ts'),
      import('../../items/schema.ts'),
    ])
    const body = parseItemCreate({ external_reference, ...(await toBody(context, options)) }, context)
    await printItem((await createItem(context, body)).json, 'made', options)
  })
})

/** `catalogue items set` */
export const setItem = describeItem(
  describeCommand('set', 'Change an item. An empty text clears a field.').argument(
    '<id>',
    'the id or external reference of the item',
  ),
)
  .option('--no-estimate', 'take the estimate away')
  .action((item: string, options: Options) => {
    const { json: _json, house: _house, locale: _locale, ...given } = options
    requireTexts(options)
    if (Object.keys(given).length === 0) throw new UsageError('say what to change')
    return changeRecords({ item }, options, async (context, { item: uuid }) => {
      const [{ changeItem }, { parseItemUpdate }] = await Promise.all([
        import('../../items/items.ts'),
        import('../../items/schema.ts'),
      ])
      const body = parseItemUpdate(await toBody(context, options), context)
      await printItem((await changeItem(context, uuid, body)).json, 'changed', options)
    })
  })
