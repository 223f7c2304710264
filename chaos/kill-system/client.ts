import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const answerMilliseconds = 60_000

/** An answer's status and data; undefined where nobody knows whether the request was carried out. */
export type Answer = { status: number; data: never } | undefined

const pause = () => sleep(30, undefined)

/** Calls the interface at any of the ports, and counts what it answers. */
export function openClient(ports: number[], key: string) {
  const answers = new Map<string, number>()
  const count = (outcome: string) => answers.set(outcome, (answers.get(outcome) ?? 0) + 1)

  /**
   * Sends a request. A 503, a connection that broke and one that was refused are no answer.
   * @throws AssertionError at any status but the expected ones, and when nothing comes back at all
   */
  async function call(method: string, path: string, expected: number[], body?: object): Promise<Answer> {
    const form = body instanceof FormData
    const headers = { authorization: `Bearer ${key}`, ...(!form && { 'content-type': 'application/json' }) }
    const port = ports[Math.floor(Math.random() * ports.length)]!
    let reply
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/v2/${path}`, {
        method,
        headers: body ? headers : { authorization: headers.authorization },
        ...(body && { body: form ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerMilliseconds),
      })
      reply = { status: response.status, text: await response.text() }
    } catch (error) {
      assert.ok(!(error instanceof DOMException), `${method} ${path}: no answer in ${answerMilliseconds / 1000} s`)
      count('connection errors')
      return pause()
    }
    count(String(reply.status))
    if (reply.status === 503) return pause()
    assert.ok(expected.includes(reply.status), `${method} ${path} answered ${reply.status}: ${reply.text}`)
    return { status: reply.status, data: (JSON.parse(reply.text) as { data: never }).data }
  }

  return { call, answers }
}

export type Client = ReturnType<typeof openClient>
