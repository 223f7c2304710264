import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'

const forwarded = ['authorization', 'content-type', 'idempotency-key', 'if-match']

/** Passes a request on to a service. Returns its answer. */
async function forward(url: string, { method = 'GET', headers }: IncomingMessage, body: Buffer): Promise<Response> {
  const sent = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (forwarded.includes(name) ? [[name, String(value)]] : [])),
  )
  // `fetch` would decode the body, and leave its coding in the headers.
  sent['accept-encoding'] = 'identity'
  return fetch(url, { method, headers: sent, ...(body.length > 0 && { body: new Uint8Array(body) }) })
}

/** What becomes of a request: it is answered by `intercept`, or gets no answer, before or after the service has it. */
export type Fate = 'passed' | 'intercepted' | 'held' | 'unanswered'

/** A proxy before a service. `intercept` chooses the fate of each request, whose number it gets. Ends with the test. */
export async function openProxy(
  url: string,
  intercept: (count: number, reply: ServerResponse) => Fate,
): Promise<string> {
  let count = 0
  const answer = async (request: IncomingMessage, reply: ServerResponse) => {
    const body = await buffer(request)
    const fate = intercept(++count, reply)
    if (fate === 'intercepted' || fate === 'held') return
    const { status, headers, text } = await forward(url + request.url, request, body).then(async (each) => ({
      status: each.status,
      headers: Object.fromEntries(each.headers),
      text: await each.text(),
    }))
    if (fate === 'passed') reply.writeHead(status, headers).end(text)
  }
  const server = createServer((request, reply) => {
    answer(request, reply).catch((error: unknown) => reply.destroy(error as Error))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
