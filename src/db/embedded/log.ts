import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import type { Cluster } from './cluster.ts'

// The log is checked every few seconds. If it grows by less than 10 MiB a second, it has at most 100 MiB.
const maximalLogBytes = 48 * 1024 * 1024
const keptLogBytes = 1024 * 1024

/** Cuts a log that is too long down to its last part. The server continues at its end. */
export async function boundLog({ log }: Pick<Cluster, 'log'>): Promise<void> {
  const { O_APPEND, O_NOFOLLOW, O_RDWR } = constants
  await using file = await open(log, O_RDWR | O_APPEND | O_NOFOLLOW)
  const { size } = await file.stat()
  if (size <= maximalLogBytes) return
  const { buffer, bytesRead } = await file.read(Buffer.alloc(keptLogBytes), 0, keptLogBytes, size - keptLogBytes)
  // Another process was first.
  if (bytesRead < keptLogBytes) return
  await file.truncate(0)
  await file.write(buffer.subarray(buffer.indexOf('\n') + 1))
}

/** The last line of the server's log. */
export async function lastLogLine(cluster: Cluster): Promise<string> {
  return (await readFile(cluster.log, 'utf8').catch(() => '')).trimEnd().split('\n').at(-1) ?? ''
}
