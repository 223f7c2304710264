import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../errors.ts'
import { findBinaries } from './binaries.ts'

/**
 * Spawns a PostgreSQL program on a directory, in its own session, so that Ctrl-C in a terminal does not reach it.
 * Root runs it as the owner of the directory. That user may not enter the folders above, so the directory is passed
 * open. `logged` returns the log since the start.
 */
export async function spawnProgram(
  program: 'initdb' | 'postgres',
  directory: string,
  parameters: string[],
  log: string,
  environment: Record<string, string> = {},
): Promise<{ child: ChildProcess; logged: () => Promise<string> }> {
  const { native } = await findBinaries()
  const { O_APPEND, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants
  await using output = await open(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  await using folder = await open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  const { uid, gid } = await folder.stat()
  const asRoot = process.getuid?.() === 0
  if (asRoot) await output.chown(uid, gid)
  const { size } = await output.stat()
  const child = spawn(join(native, 'bin', program), ['-D', asRoot ? '/proc/self/fd/3' : directory, ...parameters], {
    ...(asRoot ? { uid, gid } : {}),
    cwd: '/',
    detached: true,
    env: { LC_ALL: 'C', TZ: 'UTC', ...environment },
    stdio: ['ignore', output.fd, output.fd, folder.fd],
  })
  await once(child, 'spawn')
  const logged = async () => (await readFile(log)).subarray(size).toString().replaceAll('/proc/self/fd/3', directory)
  return { child, logged }
}

/** Kills a program and its child processes. */
export function killGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** Whether a program has ended. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** How a program ended: its signal, or its exit code. */
export function endOf(child: ChildProcess): string {
  return child.signalCode ?? `exit code ${child.exitCode}`
}

/** The line of PostgreSQL's output with the reason of a failure, and its hint. */
export function reasonIn(output: string): string | undefined {
  const lines = output.split('\n').filter((text) => text.trim() !== '')
  const line = lines.find((text) => /\b(FATAL|PANIC):|\berror\b|could not/.test(text)) ?? lines.at(-1)
  const hint = /\bHINT:\s*(.*)/.exec(output)?.[1]
  const reason = line?.replace(/^.*?\b(FATAL|PANIC|error):\s*/, '')
  return reason && hint ? `${reason} (${hint})` : reason
}
