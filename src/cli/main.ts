import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { running } from '../program.ts'
import { escapeControls } from '../values/text.ts'
import { OutputError } from './command.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'

// A command imports only the modules that it needs: it starts sooner and takes less memory. Completion needs all of
// them.
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./operator/serve.ts')).serveCommand,
  migrate: async () => (await import('./operator/migrate.ts')).migrateCommand,
  load: async () => (await import('./operator/load.ts')).loadCommand,
  export: async () => (await import('./operator/export.ts')).exportCommand,
  houses: async () => (await import('./staff/houses.ts')).housesCommand,
  keys: async () => (await import('./staff/keys.ts')).keysCommand,
  strategies: async () => (await import('./staff/strategies.ts')).strategiesCommand,
  sellers: async () => (await import('./staff/references.ts')).sellersCommand,
  categories: async () => (await import('./staff/references.ts')).categoriesCommand,
  makers: async () => (await import('./staff/references.ts')).makersCommand,
  'delivery-classes': async () => (await import('./staff/references.ts')).deliveryClassesCommand,
  consignments: async () => (await import('./staff/references.ts')).consignmentsCommand,
  auctions: async () => (await import('./staff/sales/auctions.ts')).auctionsCommand,
  sessions: async () => (await import('./staff/sales/sessions.ts')).sessionsCommand,
  lots: async () => (await import('./staff/lots/lots.ts')).lotsCommand,
  images: async () => (await import('./operator/images.ts')).imagesCommand,
  items: async () => (await import('./staff/items.ts')).itemsCommand,
  bids: async () => (await import('./staff/lots/bids.ts')).bidsCommand,
  journal: async () => (await import('./staff/journal.ts')).journalCommand,
  jobs: async () => (await import('./operator/jobs.ts')).jobsCommand,
  backup: async () => (await import('./operator/backup.ts')).backupCommand,
  restore: async () => (await import('./operator/restore.ts')).restoreCommand,
  generation: async () => (await import('./operator/generation.ts')).generationCommand,
  doctor: async () => (await import('./operator/doctor.ts')).doctorCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
}

const typed = process.argv.slice(2)
// `help sessions publish` prints the same as `sessions publish --help`.
const words = typed[0] === 'help' ? [...typed.slice(1), '--help'] : typed
const name = words[0] ?? ''
const named = Object.hasOwn(commands, name) && name !== 'completion' ? commands[name] : undefined
const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
const program = new Command('catalogue')
  .description('The catalogue service of auction houses.')
  .version(version)
  .helpCommand('help [command...]', 'display help for command')
// --version needs no command.
const needed = name === '--version' || name === '-V' ? [] : named ? [named] : Object.values(commands)
for (const command of await Promise.all(needed.map((load) => load()))) program.addCommand(command)
prepare(program)
program.hook('preAction', (_, action) => {
  running.command = wordsOf(action)
})

// Commander's error messages repeat the words of the command line, and put what was meant on a line of its own.
function prepare(command: Command): void {
  const outputError = (text: string, write: (text: string) => void) =>
    write(`${escapeControls(text.trimEnd().replaceAll('\n', ' '))}\n`)
  command
    .configureOutput({ outputError })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exitCodes.done : exitCodes.usedWrongly))
  command.commands.forEach(prepare)
}

// The journal names a command by its words.
function wordsOf(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${wordsOf(parent)} ${command.name()}` : command.name()
}

/** False if the first words name a group of commands, and the next word is none of its commands. */
function isCommand({ commands }: Command, [word, ...rest]: string[]): boolean {
  if (commands.length === 0 || word === undefined || word.startsWith('-')) return true
  const inner = commands.find((each) => each.name() === word)
  return inner !== undefined && isCommand(inner, rest)
}

// The reader of the output may close it early. The command or the service goes on.
process.stderr.on('error', () => undefined)
process.stdout.on('error', () => undefined)

// A command that names no record says a problem of the rules as it is.
async function describeError(fault: unknown): Promise<string> {
  if (fault instanceof OutputError) return `it is done, but ${fault.message}`
  const { Problem } = await import('../problems.ts')
  if (fault instanceof Problem) {
    const [{ describeProblem }, { plainPrinter }] = await Promise.all([
      import('../backoffice/command-error.ts'),
      import('../sentences.ts'),
    ])
    return escapeControls(describeProblem(fault, plainPrinter))
  }
  const message = fault instanceof Error && fault.message !== '' ? fault.message : String(fault)
  return escapeControls(message.split('\n', 1)[0]!)
}

try {
  // Commander would print the help of the group, without a word about the unknown command.
  const parsed = isCommand(program, words) ? words : words.filter((word) => word !== '--help' && word !== '-h')
  await program.parseAsync(parsed, { from: 'user' })
} catch (error) {
  if (!(error instanceof OutputError && error.code === 'EPIPE')) {
    process.stderr.write(`error: ${await describeError(error)}\n`)
    process.exitCode = await exitCodeOf(error)
  }
}
