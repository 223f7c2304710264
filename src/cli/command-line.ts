import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Command, CommanderError } from 'commander'
import { runIn, running, terminal, type Terminal } from '../values/program.ts'
import { escapeControls } from '../values/text.ts'
import { OutputError, say } from './command.ts'
import { commands } from './commands.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}

/**
 * Carries out the command that is typed as these words after the name of the program. Returns its exit code when it is
 * done; `serve` is done when the service is up.
 */
export const main = (words: string[], terminal: Terminal): Promise<number> =>
  runIn(terminal, async () => {
    // The reader of the output may close it early. The command or the service goes on.
    for (const output of [terminal.stderr, terminal.stdout]) output.on('error', () => undefined)
    // `help sessions publish` prints the same as `sessions publish --help`.
    await carryOut(words[0] === 'help' ? [...words.slice(1), '--help'] : words)
    return running().exitCode
  })

async function carryOut(words: string[]): Promise<void> {
  const run = running()
  try {
    const program = await describeProgram(words[0] ?? '')
    // Commander would print the help of the group, without a word about the unknown command.
    const parsed = isCommand(program, words) ? words : words.filter((word) => word !== '--help' && word !== '-h')
    await program.parseAsync(parsed, { from: 'user' })
  } catch (error) {
    if (error instanceof OutputError && error.code === 'EPIPE') return
    if (error instanceof CommanderError) {
      run.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usedWrongly
      return
    }
    await sayProblems(error)
    run.terminal.stderr.write(`error: ${await describeError(error)}\n`)
    run.exitCode = await exitCodeOf(error)
  }
}

// The program with the command of this name; with all of them if there is none, or completion lists them.
async function describeProgram(name: string): Promise<Command> {
  const program = new Command('catalogue')
    .description('The catalogue service of auction houses.')
    .version(version)
    .helpCommand('help [command...]', 'display help for command')
  const named = Object.hasOwn(commands, name) && name !== 'completion' ? commands[name] : undefined
  // --version needs no command.
  const needed = name === '--version' || name === '-V' ? [] : named ? [named] : Object.values(commands)
  for (const command of await Promise.all(needed.map((load) => load()))) program.addCommand(command)
  prepare(program)
  return program.hook('preAction', (_, action) => {
    running().command = wordsOf(action)
  })
}

const widthOf = ({ isTTY, columns }: Terminal['stdout']) => (isTTY && columns) || 80

// Commander's error messages repeat the words of the command line, and put what was meant on a line of its own.
function prepare(command: Command): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal().stdout.write(text),
    writeErr: (text) => terminal().stderr.write(text),
    getOutHelpWidth: () => widthOf(terminal().stdout),
    getErrHelpWidth: () => widthOf(terminal().stderr),
    outputError: (text, write) => write(`${escapeControls(text.trimEnd().replaceAll('\n', ' '))}\n`),
  })
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

// A command that names no record says a problem of the rules as it is.
async function describeError(fault: unknown): Promise<string> {
  if (fault instanceof OutputError) return `it is done, but ${fault.message}`
  const { Problem } = await import('../problems.ts')
  if (fault instanceof Problem) {
    const [{ describeProblem }, { plainPrinter }] = await Promise.all([
      import('./command-error.ts'),
      import('../sentences.ts'),
    ])
    return escapeControls(describeProblem(fault, plainPrinter))
  }
  const message = fault instanceof Error && fault.message !== '' ? fault.message : String(fault)
  return escapeControls(message.split('\n', 1)[0]!)
}

const mostProblems = 100

// Of a file that is refused for several problems, they come before the error.
async function sayProblems(fault: unknown): Promise<void> {
  const { CommandError } = await import('./command-error.ts')
  if (!(fault instanceof CommandError) || fault.problems.length < 2) return
  for (const problem of fault.problems.slice(0, mostProblems)) say(problem)
  if (fault.problems.length > mostProblems) say(`and ${fault.problems.length - mostProblems} more`)
}
