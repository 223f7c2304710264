import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Connection } from './pool.ts'

const pauseMilliseconds = 1_000

/**
 * Listens on a channel, on its own connection that is reopened when it is lost. `onNotice` gets the text of a notice,
 * or undefined after a new connection, because notices may have been missed.
 */
export function listenTo(channel: string, connection: Connection, onNotice: (text: string | undefined) => void) {
  const closing = new AbortController()
  const { signal } = closing
  async function listen() {
    const client = new Client({ ...connection, application_name: 'catalogue', keepAlive: true })
    const ended = once(client, 'end', { signal })
    ended.catch(() => undefined)
    client.on('error', () => void client.end().catch(() => undefined))
    client.on('notification', ({ payload }) => onNotice(payload))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      onNotice(undefined)
      await ended
    } finally {
      await client.end()
    }
  }
  const run = async () => {
    while (!signal.aborted) {
      await listen().catch(() => undefined)
      await sleep(pauseMilliseconds, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}
