import { Command } from 'commander'
import { permissions, staffPermissions, type Permission } from '../../context.ts'
import type { Database } from '../../db/pool.ts'
import type { IssuedKey, KeyTerms } from '../../houses/api-keys.ts'
import {
  describeCommand,
  OutputError,
  printResult,
  UsageError,
  utcOption,
  wholeNumber,
  withCatalogue,
  type CommonOptions,
} from '../command.ts'
import { printList } from '../table.ts'
import { printTime } from '../times.ts'

const graceSeconds = 3600

function parsePermissions(text: string): Permission[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(permissions as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new UsageError(`there is no permission ${JSON.stringify(unknown)}; choose from ${permissions.join(', ')}`)
  return [...new Set(names as Permission[])]
}

function printIssued({ id, house, permissions, key }: IssuedKey): string[] {
  return [
    key,
    `This is the only time the key is shown. Id ${id}, house ${house}, permissions ${permissions.join(', ')}.`,
  ]
}

const load = () => Promise.all([import('../names.ts'), import('../../houses/api-keys.ts')])

// A key that could not be shown is not issued: printing is part of the transaction.
async function issue(db: Database, options: CommonOptions, work: (tx: Database) => Promise<IssuedKey>): Promise<void> {
  const { inTransactionOnce } = await import('../../writes/transaction.ts')
  try {
    await inTransactionOnce({ db }, async ({ db: tx }) => printResult(await work(tx), options, printIssued))
  } catch (error) {
    if (error instanceof OutputError) throw new Error(`no key was issued: ${error.message}`, { cause: error })
    throw error
  }
}

type CreateOptions = CommonOptions & {
  house: string
  permissions?: string
  all?: boolean
  staff?: boolean
  bids?: boolean
  name?: string
  rateLimit?: number
  requireIfMatch?: boolean
}

function grant({ permissions: named, all, name, ...options }: CreateOptions): Permission[] {
  const ofStaff = staffPermissions.filter((permission) => options[permission])
  if (named !== undefined && all) throw new UsageError('give one of --permissions and --all')
  if (named === undefined && !all && ofStaff.length === 0)
    throw new UsageError('give --permissions or --all, or --staff or --bids')
  // The journal says by this name who made a change.
  if (options.staff && (name ?? '').trim() === '')
    throw new UsageError('--staff needs --name, the person who uses the key')
  const others = all ? permissions : named === undefined ? [] : parsePermissions(named)
  return [...others, ...ofStaff]
}

const create = describeCommand('create', 'Issue a key and print it. It is never shown again.')
  .requiredOption('--house <slug>', 'the short name of the house that the key belongs to')
  .option('--permissions <a,b>', `what the key may do: ${permissions.join(', ')}`)
  .option('--all', 'every permission but staff and bids')
  .option('--staff', 'the permission staff, for the staff interface; --name says who uses the key')
  .option('--bids', 'the permission bids, to place bids through the staff interface')
  .option('--name <name>', 'what the key is for, or who uses it')
  .option(
    '--rate-limit <n>',
    'requests a minute, in place of RATE_LIMIT_PER_MINUTE; 0: no limit',
    wholeNumber(0, 999_999_999),
  )
  .option('--require-if-match', 'refuse to change a record without If-Match')
  .action((options: CreateOptions) => {
    const granted = grant(options)
    const terms = { rate_limit: options.rateLimit ?? null, require_if_match: options.requireIfMatch ?? false }
    return withCatalogue(async ({ db }) => {
      const [{ requireHouse }, { createKey }] = await load()
      const house = await requireHouse(db, options.house)
      await issue(db, options, (tx) => createKey(tx, house, granted, options.name ?? null, new Date(), terms))
    })
  })

const list = describeCommand(
  'list',
  'List the keys: id, house, name, state, terms and permissions. The secrets themselves are not stored.',
)
  .option('--house <slug>', 'only the keys of this house')
  .option(...utcOption)
  .action((options: CommonOptions & { house?: string }) =>
    withCatalogue(async ({ db }) => {
      const [{ requireHouse }, { listKeys }] = await load()
      const keys = await listKeys(
        db,
        options.house === undefined ? undefined : (await requireHouse(db, options.house)).id,
      )
      await printList(keys, 'key', options, [
        { heading: 'id', show: (key) => key.id },
        { heading: 'house', show: (key) => key.house },
        { heading: 'name', kind: 'text', show: (key) => key.name ?? '-' },
        { heading: 'state', show: (key) => describeState(key, options) },
        { heading: 'terms', show: describeTerms },
        { heading: 'permissions', kind: 'text', show: (key) => key.permissions.join(',') },
      ])
    }),
  )

function describeState(key: { revoked_at: string | null; expires_at: string | null }, options: CommonOptions): string {
  if (key.revoked_at !== null) return `revoked ${printTime(key.revoked_at, options)}`
  if (key.expires_at === null) return 'valid'
  return `${new Date(key.expires_at) > new Date() ? 'valid until' : 'expired'} ${printTime(key.expires_at, options)}`
}

function describeTerms({ rate_limit, require_if_match }: KeyTerms): string {
  const limit = rate_limit === null ? [] : [rate_limit === 0 ? 'no-limit' : `${rate_limit}/min`]
  return [...limit, ...(require_if_match ? ['if-match'] : [])].join(',') || '-'
}

const revoke = describeCommand('revoke', 'Revoke a key. All instances refuse it within a second.')
  .argument('<id>', 'the id of the key')
  .action((id: string, options: CommonOptions) =>
    withCatalogue(async ({ db }) => {
      const { revokeKey } = await import('../../houses/api-keys.ts')
      await printResult(await revokeKey(db, id, new Date()), options, (key) => `revoked ${key.id}`)
    }),
  )

const rotate = describeCommand('rotate', 'Replace a key by a new one. The old key works until --grace is over.')
  .argument('<id>', 'the id of the old key')
  .option('--grace <seconds>', 'how long the old key still works', wholeNumber(0, 31_536_000), graceSeconds)
  .action((id: string, options: CommonOptions & { grace: number }) =>
    withCatalogue(async ({ db }) => {
      const { rotateKey } = await import('../../houses/api-keys.ts')
      await issue(db, options, (tx) => rotateKey(tx, id, options.grace, new Date()))
    }),
  )

/** `catalogue keys …` */
export const keysCommand = new Command('keys').description('API keys.')
for (const command of [create, list, revoke, rotate]) keysCommand.addCommand(command)
