import { Command, InvalidArgumentError } from 'commander'
import { readConfig } from '../settings/config.ts'
import type { Catalogue } from '../running/catalogue.ts'
import { running, terminal } from '../values/program.ts'
import { escapeControls } from '../values/text.ts'

/** The options that every command takes, and those that many take. */
export type CommonOptions = { json?: boolean; utc?: boolean; house?: string }

/** The option of commands that print times. */
export const utcOption = ['--utc', 'times in UTC, not in the time zone of the house'] as const

/** The option of commands that name records: the slug of their house. */
export const houseOption = [
  '--house <slug>',
  'the short name of the house; needed if there are several, unless CATALOGUE_HOUSE or ids say which',
] as const

// The exit code that a shell reports for a command ended by Ctrl-C.
const interrupted = 130

/** The house that a command names, otherwise that of CATALOGUE_HOUSE. */
export const nameHouse = ({ house }: CommonOptions, { config }: Catalogue): string | undefined => house ?? config.house

/** A command with the options that all commands share. */
export function describeCommand(name: string, description: string): Command {
  return new Command(name).description(description).option('--json', 'print JSON')
}

/** A wrong use of a command that its description cannot express. */
export class UsageError extends Error {}

/** The refusal of a command without an option that it needs. */
export const needed = (option: string) => new UsageError(`required option '${option}' not specified`)

/** The output cannot be written: its reader has gone (`EPIPE`), or the disk is full. */
export class OutputError extends Error {
  readonly code: string | undefined

  constructor(cause: NodeJS.ErrnoException) {
    super(`the output cannot be written: ${cause.message}`, { cause })
    this.code = cause.code
  }
}

/**
 * Prints a result: with --json as JSON, otherwise as the lines from `print`, with control characters made visible.
 * @throws OutputError
 */
export async function printResult<T>(
  result: T,
  options: CommonOptions,
  print: (result: T) => string | string[],
): Promise<void> {
  await printLines(options.json ? [JSON.stringify(result, null, 2)] : [print(result)].flat().map(escapeControls))
}

/** Prints a line on standard error, with control characters made visible. */
export function say(line: string): void {
  terminal().stderr.write(`${escapeControls(line)}\n`)
}

/** Says what a command changes, before its question or its result. Of a refused command only the refusal is said. */
export function announce(line: string): void {
  running().announced.push(line)
}

/** Prints what was announced. */
export function sayAnnounced(): void {
  running().announced.splice(0).forEach(say)
}

/**
 * Prints lines unchanged, and returns when they are written.
 * @throws OutputError
 */
export async function printLines(lines: string[]): Promise<void> {
  sayAnnounced()
  if (lines.length === 0) return
  await new Promise<void>((resolve, reject) => {
    terminal().stdout.write(`${lines.join('\n')}\n`, (error) => (error ? reject(new OutputError(error)) : resolve()))
  })
}

/** A number with its noun: `1 session`, `3 sessions`, `2 delivery classes`. */
export function printCount(count: number, noun: string): string {
  const words = noun.replaceAll('_', ' ')
  return `${count.toLocaleString('en')} ${count === 1 ? words : `${words.replace(/(?<![aeiou])y$/, 'ie').replace(/s$/, 'se')}s`}`
}

/** Reads an option that is a whole number of at least `least`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : NaN
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
    return value
  }
}

/** Opens the catalogue, whether the service is running or not, runs a command on it and closes it. */
export async function withCatalogue(work: (catalogue: Catalogue) => Promise<void>): Promise<void> {
  const interruption = new AbortController()
  const { signal } = interruption
  const { stderr, env } = terminal()
  const interrupt = () => {
    // The last line may show progress.
    if (stderr.isTTY && !signal.aborted) stderr.write('\n')
    interruption.abort()
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  const { openCatalogue } = await import('../running/catalogue.ts')
  const catalogue = await openCatalogue(readConfig(env), { signal }).catch((error: unknown) => {
    if (signal.aborted) process.exit(interrupted)
    throw error
  })
  // The database server rolls back the transaction of an interrupted command.
  signal.addEventListener('abort', () => void catalogue.abandon().finally(() => process.exit(interrupted)))
  try {
    await work(catalogue)
    sayAnnounced()
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await catalogue.close()
  }
}
