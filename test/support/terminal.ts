import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { checkout } from './process.ts'

/** Runs a command in a terminal of its own, which is wide enough for the path of any file. */
export function startInTerminal(settings: Record<string, string>, command: string) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm', LOG_LEVEL: 'warn', ...settings }
  const child = spawn('script', ['-qfec', `stty cols 500; exec ${command}`, '/dev/null'], { cwd: checkout, env })
  let shown = ''
  child.stdout.on('data', (text) => (shown += String(text)))
  return { child, shown: () => shown, ended: once(child, 'close') }
}
