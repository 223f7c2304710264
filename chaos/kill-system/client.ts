import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClient, type Content } from '../../test/support/client.ts'

const answerMilliseconds = 60_000

/** An answer's status and data. Undefined if the client cannot know whether the request was carried out. */
export type Answer = { status: number; data: never } | undefined

const pause = () => sleep(30, undefined)

/**
 * Calls the interface at one of the ports, chosen at random, and counts the answers. `acknowledged`: the `Request-Id`s of
 * the writes that changed something.
 */
export function openClients(ports: number[], key: string) {
  const clients = ports.map((port) => openClient(`http://127.0.0.1:${port}`, key))
  const answers = new Map<string, number>()
  const acknowledged = new Set<string>()
  const count = (outcome: string) => answers.set(outcome, (answers.get(outcome) ?? 0) + 1)

  /**
   * Sends a request. Returns undefined for a 503, a broken connection and a refused one.
   * @throws AssertionError for an unexpected status, and if no answer comes in time
   */
  async function call(method: string, path: string, expected: number[], content?: Content): Promise<Answer> {
    const client = clients[Math.floor(Math.random() * clients.length)]!
    const signal = AbortSignal.timeout(answerMilliseconds)
    const reply = await client.call(method, path, content, signal).catch(() => undefined)
    if (reply === undefined) {
      assert.ok(!signal.aborted, `${method} ${path}: no answer in ${answerMilliseconds / 1000} s`)
      count('connection errors')
      return pause()
    }
    const { status, text } = reply
    count(String(status))
    if (status === 503) {
      assert.ok(Number(reply.headers['retry-after']) > 0, `${method} ${path} answered 503 without Retry-After`)
      return pause()
    }
    assert.ok(expected.includes(status), `${method} ${path} answered ${status}: ${text}`)
    // Switching a lot and arranging a gallery may change nothing.
    if (method !== 'GET' && status < 300 && !/^lots|gallery$/.test(path))
      acknowledged.add(String(reply.headers['request-id']))
    return { status, data: (JSON.parse(text || '{}') as { data: never }).data }
  }

  return { call, answers, acknowledged }
}

export type Clients = ReturnType<typeof openClients>
