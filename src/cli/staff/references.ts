import { Command, Option } from 'commander'
import type { GivenFields } from '../files/reference-file.ts'
import { kinds } from '../../kinds.ts'
import type { MadeKind } from '../../references/schema.ts'
import { isLocale } from '../../values/locales.ts'
import { describeCommand, houseOption, printCount, printResult, UsageError, utcOption } from '../command.ts'
import type { CommonOptions } from '../command.ts'
import { printList, type Column } from '../table.ts'
import { printTime } from '../times.ts'
import { changeRecords, withRecords } from './named-records.ts'

type Document = Record<string, unknown>

/** A field as an option: its flags, and what it is. `sets`: the value of a flag without one. */
type FieldOption = { flags: string; description: string; field: string; sets?: boolean; onlySet?: true }

const texts = (field: string, argument: string, description: string): FieldOption => ({
  flags: `--${field.replaceAll('_', '-')} <${argument}>`,
  description,
  field,
})

/** What the commands of a kind take and list. `known`: how a command names a record. */
type Described = {
  known: string
  fields: FieldOption[]
  filters: FieldOption[]
  columns: Column<Document>[]
}

const text = (value: string | number | null | undefined) => (value == null ? '-' : String(value))
const column = (heading: string, field: string, kind?: 'number' | 'text'): Column<Document> => ({
  heading,
  show: (document) => text(document[field] as string | number | null),
  ...(kind && { kind }),
})

const described: Record<MadeKind, Described> = {
  seller: {
    known: 'the number, name or id of the seller',
    fields: [
      texts('seller_number', 'n', 'the number of the seller; a new one without it gets the next number of the house'),
      texts('profile_name', 'text', 'the name that is shown'),
      texts('account_name', 'text', 'the name of the account, shown if there is no other'),
    ],
    filters: [texts('seller_number', 'n', 'only sellers with this number')],
    columns: [column('seller', 'seller_number', 'number'), column('name', 'name', 'text')],
  },
  category: {
    known: 'the slug, name or id of the category',
    fields: [
      texts('slug', 'text', 'the slug; made from the name of a new category without it'),
      texts('name', 'text', 'the name in the language of the house'),
      {
        flags: '--names <locale=text...>',
        description: 'the names in several languages, such as nl=Klokken en=Clocks',
        field: 'names',
      },
      texts('parent', 'category', 'the category above it'),
    ],
    filters: [texts('slug', 'text', 'only categories with this slug')],
    columns: [column('category', 'slug'), column('name', 'name', 'text'), column('parent', 'parent')],
  },
  maker: {
    known: 'the name or id of the maker',
    fields: [
      texts('name', 'text', 'the name'),
      { flags: '--inactive', description: 'the maker is not active', field: 'active', sets: false },
      { flags: '--active', description: 'the maker is active again', field: 'active', sets: true, onlySet: true },
    ],
    filters: [texts('name', 'text', 'only makers with this name')],
    columns: [
      column('maker', 'name', 'text'),
      { heading: 'state', show: ({ active }) => (active === true ? 'active' : 'inactive') },
    ],
  },
  delivery_class: {
    known: 'the name or id of the delivery class',
    fields: [texts('name', 'text', 'the name'), texts('instructions', 'text', 'how a buyer gets the item')],
    filters: [texts('name', 'text', 'only delivery classes with this name')],
    columns: [column('delivery class', 'name', 'text'), column('instructions', 'instructions', 'text')],
  },
  consignment: {
    known: 'the number or id of the consignment',
    fields: [
      texts('number', 'text', 'the number'),
      texts('seller', 'seller', 'the seller, by number, name or id'),
      { flags: '--locked', description: 'the consignment takes no more items', field: 'locked', sets: true },
      { flags: '--unlocked', description: 'it takes items again', field: 'locked', sets: false, onlySet: true },
      texts('commission_percentage', 'percentage', 'the commission, from 0 to 100; never shown'),
      texts('private_notes', 'text', 'notes; never shown'),
    ],
    filters: [
      texts('number', 'text', 'only consignments with this number'),
      texts('seller', 'seller', 'only consignments of this seller, by number, name or id'),
    ],
    columns: [
      column('consignment', 'number'),
      column('seller', 'seller'),
      { heading: 'state', show: ({ locked }) => (locked === true ? 'locked' : 'open') },
    ],
  },
}

type Options = CommonOptions & Record<string, unknown>

const optionOf = ({ flags, description }: FieldOption) => new Option(flags, description)

function readNames(given: string[]): GivenFields {
  return Object.fromEntries(
    given.map((each) => {
      const [, locale = '', name = ''] = /^(\w+)=(.*)$/s.exec(each) ?? []
      if (!isLocale(locale)) throw new UsageError(`--names: ${JSON.stringify(each)} is not like nl=Klokken`)
      return [`names.${locale}`, name]
    }),
  )
}

// The given fields, by their names in the load format.
function fieldsOf(options: Options, fields: FieldOption[]): GivenFields {
  const given: GivenFields = {}
  for (const option of fields) {
    const value = options[optionOf(option).attributeName()]
    if (value === undefined) continue
    if (option.field === 'names') Object.assign(given, readNames(value as string[]))
    else given[option.field] = option.sets ?? value
  }
  return given
}

function describeKind(kind: MadeKind): Command {
  const { known, fields, filters, columns } = described[kind]
  const [words, plural] = [kind.replaceAll('_', ' '), kinds[kind].plural.replaceAll('_', ' ')]
  const name = kinds[kind].plural.replaceAll('_', '-')
  const print = (document: string, options: CommonOptions, done: string) =>
    import('../files/reference-file.ts').then(({ describeRecord }) =>
      printResult(JSON.parse(document) as Document, options, (shown) => `${done} ${describeRecord(kind, shown)}`),
    )

  const create = describeCommand('create', `Make a ${words}, or those of a file.`)
  for (const field of fields) if (!field.onlySet) create.addOption(optionOf(field))
  create
    .addOption(
      new Option(
        '--file <file>',
        `a file of ${plural}, made all or none: CSV with the fields as headings, or NDJSON; - is standard input`,
      ).conflicts(fields.map((field) => optionOf(field).attributeName())),
    )
    .option(...houseOption)
    .action(async ({ file, ...options }: Options & { file?: string }) => {
      const given = fieldsOf(options, fields)
      if (file === undefined && Object.keys(given).length === 0)
        throw new UsageError(`say what the ${words} is, or give --file`)
      const { makeRecord, makeRecordsOfFile } = await import('../files/reference-file.ts')
      if (file === undefined)
        return withRecords({}, options, async (context) =>
          print((await makeRecord(context, kind, given)).json, options, 'made'),
        )
      const { openSource } = await import('../../load/source.ts')
      const source = await openSource(file)
      return withRecords({}, options, async (context) => {
        const documents = await makeRecordsOfFile(context, kind, source)
        await printResult(
          documents.map((json) => JSON.parse(json) as Document),
          options,
          () => `made ${printCount(documents.length, words)}`,
        )
      })
    })

  const set = describeCommand('set', `Change a ${words}. An empty text clears a field.`).argument('<name>', known)
  for (const field of fields) set.addOption(optionOf(field))
  set.option(...houseOption).action((record: string, options: Options) => {
    const given = fieldsOf(options, fields)
    if (Object.keys(given).length === 0) throw new UsageError('say what to change')
    return changeRecords({ [kind]: record }, options, async (context, uuids) => {
      const { changeRecord } = await import('../files/reference-file.ts')
      await print((await changeRecord(context, kind, uuids[kind]!, given)).json, options, 'changed')
    })
  })

  const list = describeCommand('list', `List the ${plural} of a house, newest first.`)
  for (const filter of filters) list.addOption(optionOf(filter))
  list
    .option(...houseOption)
    .option(...utcOption)
    .action((options: Options) => {
      const { seller, ...given } = fieldsOf(options, filters)
      return withRecords({ seller: seller as string | undefined }, options, async (context, uuids) => {
        const [{ listRecords }, { selectReferences }] = await Promise.all([
          import('../../reads/lists.ts'),
          import('../../references/queries.ts'),
        ])
        const records = await listRecords<Document>(selectReferences(context, kind, { ...given, ...uuids }))
        await printList(records, words, options, [
          ...columns,
          { heading: 'created', show: ({ created_at }) => printTime(created_at as string | null, options) },
          column('id', 'id'),
        ])
      })
    })

  const deletes = 'deletes' in kinds[kind]
  const end = describeCommand(
    deletes ? 'delete' : 'archive',
    deletes
      ? `Delete a ${words} that no item${kind === 'category' ? ' and no other category' : ''} names.`
      : `Archive a ${words}. Its items stay as they are.`,
  )
    .argument('<name>', known)
    .option(...houseOption)
    .action((record: string, options: CommonOptions) =>
      changeRecords({ [kind]: record }, options, async (context, uuids) => {
        const { removeReference } = await import('../../references/references.ts')
        await removeReference(context, kind, uuids[kind]!)
        const done = deletes ? 'deleted' : 'archived'
        await printResult({ [done]: record }, options, () => `${done} the ${words} ${record}`)
      }),
    )

  const command = new Command(name).description(
    `${plural[0]!.toUpperCase()}${plural.slice(1)}: a list, new ones, and changes.`,
  )
  for (const each of [list, create, set, end]) command.addCommand(each)
  return command
}

/** `catalogue sellers …` */
export const sellersCommand = describeKind('seller')

/** `catalogue categories …` */
export const categoriesCommand = describeKind('category')

/** `catalogue makers …` */
export const makersCommand = describeKind('maker')

/** `catalogue delivery-classes …` */
export const deliveryClassesCommand = describeKind('delivery_class')

/** `catalogue consignments …` */
export const consignmentsCommand = describeKind('consignment')
