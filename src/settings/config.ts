import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { settings } from './settings.ts'

/** The fewest characters of a secret. */
export const leastSecret = 32

// The checkout, or the project that has the package in its node_modules.
const [project] = path.join(import.meta.dirname, '../..').split('/node_modules/')
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const switches = ['on', 'off'] as const
const workers = ['in-process', 'off', 'only'] as const

/** A setting that can't be used. The message is one line that names the variable. */
export class ConfigError extends Error {}

/** What the environment says, checked. */
export type Config = {
  host: string
  port: number
  publicUrl: string
  databaseUrl: string | undefined
  dataDir: string
  secret: string | undefined
  previousSecret: string | undefined
  media: { store: 'file' } | { store: 's3'; bucket: string; endpoint: string | undefined; region: string }
  /** Requests a key may make in a minute; 0 switches the limit off. */
  rateLimitPerMinute: number
  redisUrl: string | undefined
  /** How many processes answer requests. */
  processes: number
  /** The memory of the response cache, of all processes; 0 switches it off. */
  answerCacheMiB: number
  /** The memory for the indexes of searches, of all processes. */
  searchMemoryMiB: number
  metricsHost: string
  metricsPort: number | undefined
  /** The page at `/`. */
  window: (typeof switches)[number]
  worker: (typeof workers)[number]
  /** How long the journal is kept; 0 for ever. */
  journalDays: number
  logLevel: (typeof logLevels)[number]
  /** The short name of the house of commands that name none. */
  house: string | undefined
}

type Name = keyof typeof settings
type Get = <N extends Name>(name: N) => string | (typeof settings)[N]['default']

function integer(name: string, text: string, low: number, high: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (!(value >= low && value <= high))
    throw new ConfigError(`${name} must be a whole number from ${low} to ${high}, not "${text}"`)
  return value
}

function oneOf<const T extends string>(name: string, text: string, values: readonly T[]): T {
  const value = values.find((each) => each === text)
  if (value === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}"`)
  return value
}

// The value is not repeated: these URLs may hold a password.
function url(name: string, text: string, protocols: string[]): string {
  const parsed = URL.parse(text)
  if (!parsed || !protocols.includes(parsed.protocol))
    throw new ConfigError(`${name} must be a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`)
  return text
}

function secret(name: string, text: string): string {
  if (text.length < leastSecret) throw new ConfigError(`${name} must be at least ${leastSecret} characters long`)
  return text
}

function listenHost(name: string, text: string): string {
  const isName = /^[\w.-]+$/.test(text) && URL.canParse(`http://${text}`)
  if (isIP(text) === 0 && !isName)
    throw new ConfigError(`${name} must be an address or a name of this machine, not "${text}"`)
  return text
}

/** Whether two words differ by one letter that is added, missing, wrong or swapped with the next. Ignores case. */
function isMisspelt(word: string, meant: string): boolean {
  const [one, other] = [word.toUpperCase(), meant.toUpperCase()]
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const [rest, wanted] = [one.slice(same), other.slice(same)]
  const exchanged = `${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}`
  return [rest, rest.slice(1), exchanged].includes(wanted) || [rest, rest.slice(1)].includes(wanted.slice(1))
}

// Names that resemble no setting, or one that is set too, may be meant for other programs, such as those of Docker
// Compose.
function refuseMisspelt(place: string, names: string[], env: NodeJS.ProcessEnv): void {
  const ignored = (env['SETTINGS_IGNORE'] ?? '').split(/[\s,]+/)
  for (const name of names) {
    if (Object.hasOwn(settings, name) || ignored.includes(name)) continue
    const meant = Object.keys(settings).find((each) => !env[each] && isMisspelt(name, each))
    if (meant !== undefined)
      throw new ConfigError(
        `${place}: there is no setting ${name}; did you mean ${meant}? If it is not yours, name it in SETTINGS_IGNORE`,
      )
  }
}

// The environment overrides `.env`. A package in node_modules reads no `.env`: that file configures the project
// around it.
function loadFile(): void {
  const file = path.join(import.meta.dirname, '../../.env')
  if (file.includes('/node_modules/')) return
  try {
    const names = Object.keys(parseEnv(readFileSync(file, 'utf8')))
    process.loadEnvFile(file)
    refuseMisspelt(file, names, process.env)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Reads the settings (docs/operating.md, "What runs") from an environment; from that of the process with what `.env` adds
 * in a checkout.
 * @throws ConfigError naming the variable that is wrong
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  if (env === process.env) loadFile()
  // An empty variable counts as unset. A name with several small letters belongs to another program.
  const names = Object.keys(env).filter((name) => env[name] && !/[a-z].*[a-z]/.test(name))
  refuseMisspelt('the environment', names, env)
  const get: Get = (name) => env[name] || settings[name].default
  const optional = <T>(name: Name, read: (text: string) => T) => {
    const text = get(name)
    return text === undefined ? undefined : read(text)
  }
  const host = listenHost('HOST', get('HOST'))
  const port = integer('PORT', get('PORT'), 1, 65535)
  const publicUrl = url(
    'PUBLIC_URL',
    get('PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host.replace(/%.*/, '')}]` : host}:${port}`,
    ['http:', 'https:'],
  )
  const origin = new URL(publicUrl)
  if (origin.pathname !== '/' || origin.search || origin.hash || origin.username)
    throw new ConfigError('PUBLIC_URL must be an origin, without a path')
  return {
    host,
    port,
    publicUrl: origin.origin,
    databaseUrl: optional('DATABASE_URL', (text) => url('DATABASE_URL', text, ['postgres:', 'postgresql:'])),
    dataDir: path.resolve(get('DATA_DIR') ?? path.join(project!, '.data')),
    secret: optional('SECRET', (text) => secret('SECRET', text)),
    previousSecret: optional('SECRET_PREVIOUS', (text) => secret('SECRET_PREVIOUS', text)),
    media: mediaStore(get),
    rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', get('RATE_LIMIT_PER_MINUTE'), 0, 999_999_999),
    redisUrl: optional('REDIS_URL', (text) => url('REDIS_URL', text, ['redis:', 'rediss:'])),
    processes: processes(get('PROCESSES')),
    answerCacheMiB: integer('ANSWER_CACHE_MIB', get('ANSWER_CACHE_MIB'), 0, 65536),
    searchMemoryMiB: searchMemory(get('SEARCH_MEMORY_MIB')),
    metricsHost: listenHost('METRICS_HOST', get('METRICS_HOST')),
    metricsPort: optional('METRICS_PORT', (text) => integer('METRICS_PORT', text, 0, 65535)),
    window: oneOf('WINDOW', get('WINDOW'), switches),
    worker: oneOf('WORKER', get('WORKER'), workers),
    journalDays: integer('JOURNAL_DAYS', get('JOURNAL_DAYS'), 0, 36_500),
    logLevel: oneOf('LOG_LEVEL', get('LOG_LEVEL'), logLevels),
    house: get('CATALOGUE_HOUSE'),
  }
}

/** The settings that an environment sets, as written there. */
export function listSettings(env: NodeJS.ProcessEnv): [name: string, value: string][] {
  return Object.keys(settings).flatMap((name) => (env[name] ? [[name, env[name]]] : []))
}

/** The key of a house for commands that use the service through HTTP (`CATALOGUE_KEY`); undefined if there is none. */
export const readCatalogueKey = (env: NodeJS.ProcessEnv) => env['CATALOGUE_KEY'] || undefined

// PostgreSQL gets the other half of the processors.
function processes(text: string): number {
  return text === 'auto' ? Math.max(1, Math.floor(availableParallelism() / 2)) : integer('PROCESSES', text, 1, 256)
}

function searchMemory(text: string | undefined): number {
  if (text !== undefined) return integer('SEARCH_MEMORY_MIB', text, 16, 1_048_576)
  // Without a limit it is zero, or more than the machine has.
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return Math.min(2048, Math.max(64, Math.floor(bytes / 8 / 1024 / 1024)))
}

function mediaStore(get: Get): Config['media'] {
  if (oneOf('MEDIA_STORE', get('MEDIA_STORE'), ['file', 's3']) === 'file') return { store: 'file' }
  const bucket = get('S3_BUCKET')
  if (bucket === undefined) throw new ConfigError('S3_BUCKET must be set where MEDIA_STORE is s3')
  const endpoint = get('S3_ENDPOINT')
  return {
    store: 's3',
    bucket,
    endpoint: endpoint === undefined ? undefined : url('S3_ENDPOINT', endpoint, ['http:', 'https:']),
    region: get('S3_REGION'),
  }
}
