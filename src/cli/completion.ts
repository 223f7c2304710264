import { Argument, Command, Help } from 'commander'
import { printLines } from './command.ts'

/** A word that may come next, such as a command or an option. */
type Word = { word: string; description: string; value: 'none' | 'any' | 'file' }

/** The words that lead to a command (`lots add`), and the words that may follow them. */
type Place = { path: string; words: Word[]; takesFiles: boolean }

const help = new Help()

function listPlaces(command: Command, path = ''): Place[] {
  const commands = help.visibleCommands(command).filter((each) => each.name() !== 'help')
  const options = help.visibleOptions(command)
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? [])
  const words: Word[] = [
    ...commands.map((each) => ({ word: each.name(), description: each.description(), value: 'none' as const })),
    ...choices.map((word) => ({ word, description: '', value: 'none' as const })),
    ...options.map(({ long, description, required }) => {
      const value = required ? (['--file', '--media', '--order'].includes(long!) ? 'file' : 'any') : 'none'
      return { word: long!, description, value } as const
    }),
  ]
  const takesFiles = command.registeredArguments.some((argument) => argument.name() === 'file')
  const inner = commands.flatMap((each) => listPlaces(each, path === '' ? each.name() : `${path} ${each.name()}`))
  return [{ path, words, takesFiles }, ...inner]
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

// The patterns of a `case` for all places but the first. The script reads the words before the cursor one after the
// other.
const steps = (places: Place[]) => places.slice(1).map(({ path }) => quote(path.includes(' ') ? path : ` ${path}`))

// The patterns of a `case` for options whose value comes next.
const before = (places: Place[], value: Word['value']) =>
  places.flatMap(({ path, words }) =>
    words.filter((each) => each.value === value).map(({ word }) => quote(`${path} ${word}`)),
  )

function printBash(places: Place[]): string[] {
  return [
    '_catalogue() {',
    '  local place= words= word current=${COMP_WORDS[COMP_CWORD]}',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    `    case "$place $word" in ${steps(places).join('|')}) place="\${place:+$place }$word" ;; esac`,
    '  done',
    '  case "$place ${COMP_WORDS[COMP_CWORD-1]}" in',
    `    ${before(places, 'file').join('|')}) compopt -o default; return ;;`,
    `    ${before(places, 'any').join('|')}) return ;;`,
    '  esac',
    '  case "$place" in',
    ...places.map(({ path, words, takesFiles }) => {
      const files = takesFiles ? '[[ $current == -* ]] || { compopt -o default; return; }; ' : ''
      return `    ${quote(path)}) ${files}words=${quote(words.map(({ word }) => word).join(' '))} ;;`
    }),
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -F _catalogue catalogue',
  ]
}

function printZsh(places: Place[]): string[] {
  const describe = ({ word, description }: Word) => quote(`${word}:${description.replaceAll(':', '\\:')}`)
  return [
    '#compdef catalogue',
    '_catalogue() {',
    '  local place= word',
    '  local -a described',
    '  for word in ${words[2,CURRENT-1]}; do',
    `    case "$place $word" in ${steps(places).join('|')}) place="\${place:+$place }$word" ;; esac`,
    '  done',
    '  case "$place $words[CURRENT-1]" in',
    `    ${before(places, 'file').join('|')}) _files; return ;;`,
    `    ${before(places, 'any').join('|')}) return 1 ;;`,
    '  esac',
    '  case "$place" in',
    ...places.map(({ path, words, takesFiles }) => {
      const files = takesFiles ? '[[ $PREFIX == -* ]] || { _files; return }; ' : ''
      return `    ${quote(path)}) ${files}described=(${words.map(describe).join(' ')}) ;;`
    }),
    '  esac',
    '  _describe catalogue described',
    '}',
    // In a folder of $fpath the script is the function itself, and is called. Elsewhere it is read once.
    'if [[ $funcstack[1] == _catalogue ]]; then _catalogue "$@"; else compdef _catalogue catalogue; fi',
  ]
}

function printFish(places: Place[]): string[] {
  const quote = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
  const values = { none: '', any: ' -x', file: ' -r -F' }
  return [
    'function __catalogue_at',
    "  set -l place ''",
    '  set -l before (commandline -opc)',
    '  set -e before[1]',
    '  for word in $before',
    '    switch "$place $word"',
    `      case ${steps(places).join(' ')}`,
    '        set place (string trim "$place $word")',
    '    end',
    '  end',
    '  test "$place" = "$argv[1]"',
    'end',
    'complete -c catalogue -f',
    ...places.flatMap(({ path, words, takesFiles }) => {
      const here = `complete -c catalogue -n ${quote(`__catalogue_at ${quote(path)}`)}`
      const lines = words.map(({ word, description, value }) => {
        const name = word.startsWith('--') ? `-l ${word.slice(2)}${values[value]}` : `-a ${word}`
        return `${here} ${name} -d ${quote(description)}`
      })
      return takesFiles ? [...lines, `${here} -F`] : lines
    }),
  ]
}

const printers = { bash: printBash, zsh: printZsh, fish: printFish }

/** `catalogue completion SHELL`. The script needs neither the program nor a database when it completes. */
export const completionCommand = new Command('completion')
  .description('Print a script that completes commands and options in a shell.')
  .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(Object.keys(printers)))
  .action((shell: keyof typeof printers, _options, command: Command) =>
    printLines(printers[shell](listPlaces(command.parent!))),
  )
