import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClient, type Content } from '../../test/support/client.ts'
import { count, type Counts } from '../lib/counts.ts'
import { random } from '../lib/random.ts'

const answerMilliseconds = 60_000

/** An answer's status and data. Undefined if the client cannot know whether the request was carried out. */
export type Answer = { status: number; data: never } | undefined

/**
 * Calls the interface at one of the ports, chosen at random, and counts the answers. `acknowledged`: the `Request-Id`s of
 * the writes that changed something.
 */
export function openClients(ports: number[], key: string) {
  const clients = ports.map((port) => openClient(`http://127.0.0.1:${port}`, key))
  const answers: Counts = {}
  const acknowledged = new Set<string>()

  /**
   * Sends a request. Returns undefined for a 503, a broken connection and a refused one.
   * @throws AssertionError for an unexpected status, and if no answer comes in time
   */
  async function call(method: string, path: string, expected: number[], content?: Content): Promise<Answer> {
    const signal = AbortSignal.timeout(answerMilliseconds)
    const reply = await random
      .pick(clients)
      .call(method, path, content, signal)
      .catch(() => undefined)
    assert.ok(reply || !signal.aborted, `${method} ${path}: no answer in ${answerMilliseconds / 1000} s`)
    count(answers, reply ? String(reply.status) : 'connection errors')
    if (reply === undefined || reply.status === 503) {
      const isPolite = !reply || Number(reply.headers['retry-after']) > 0
      assert.ok(isPolite, `${method} ${path} answered 503 without Retry-After`)
      return sleep(30, undefined)
    }
    const { status, text, headers } = reply
    assert.ok(expected.includes(status), `${method} ${path} answered ${status}: ${text}`)
    // Switching a lot and arranging a gallery may change nothing.
    if (method !== 'GET' && status < 300 && !/^lots|gallery$/.test(path))
      acknowledged.add(String(headers['request-id']))
    return { status, data: (JSON.parse(text || '{}') as { data: never }).data }
  }

  return { call, answers, acknowledged }
}

export type Clients = ReturnType<typeof openClients>
