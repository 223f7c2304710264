import assert from 'node:assert/strict'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'

/** The body of a request, made by `json` or `form`. */
export type Content = { headers: { 'content-type': string }; body: string | Buffer }

/** An answer, its body as text. */
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

/** A value as the JSON body of a request. */
export function json(value: unknown): Content {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

/**
 * Calls the service at an origin with a key, on at most `connections` kept connections. Paths are below `/api/v2/`; a
 * whole URL is used as it is.
 */
export function openClient(origin: string, key: string, connections = Infinity) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const base = `${origin}/api/v2/`

  function call(method: string, path: string, content?: Content, signal?: AbortSignal): Promise<Answer> {
    const headers = { authorization: `Bearer ${key}`, ...content?.headers }
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, base), { agent, method, headers, ...(signal && { signal }) }, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        reply.on('end', () => resolve({ status: reply.statusCode!, headers: reply.headers, text })).on('error', reject)
      })
      sent.on('error', reject).end(content?.body)
    })
  }

  return {
    call,
    /** The JSON at a path. Throws an AssertionError unless the status is 200. */
    async read<T>(path: string): Promise<T> {
      const { status, text } = await call('GET', path)
      assert.equal(status, 200, `${path} answered ${text}`)
      return JSON.parse(text) as T
    },
    close: () => agent.destroy(),
  }
}
