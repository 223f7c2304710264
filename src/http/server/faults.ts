import { hash, randomUUID } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { Problem } from '../../problems.ts'
import { printProblem } from '../errors.ts'

/** The same seed gives the same faults in the same order of requests. `rate` is the share of requests with a fault. */
export type Dice = { seed: string; rate: number }

type Log = { warn(details: object, message: string): void }

const refusals = {
  'refused with 503': new Problem(
    'temporarily-unavailable',
    'The service was told to refuse some requests (--faults).',
  ),
  'refused with 429': new Problem('rate-limit-exceeded', 'The service was told to refuse some requests (--faults).'),
}
const faults = [
  'refused with 503',
  'refused with 429',
  'cut before the service saw it',
  'cut after the work was done',
  'answered after seconds',
  'answered twice as slowly',
  'cut in the middle of the body',
] as const

// Two random numbers from 0 to 1 for the request with this number.
function roll(seed: string, number: number): [number, number, number] {
  const bytes = hash('sha256', `${seed} ${number}`, 'buffer')
  const read = (at: number) => bytes.readUInt32BE(at) / 2 ** 32
  return [read(0), read(4), read(8)]
}

/** Holds the answer back. Calls `done` with the function that sends it, its body, and the id of the request. */
function catchAnswer(response: ServerResponse, done: (send: () => void, body: Buffer, id: unknown) => void): void {
  const writeHead = response.writeHead.bind(response) as (...words: unknown[]) => ServerResponse
  const end = response.end.bind(response) as (...words: unknown[]) => ServerResponse
  let id: unknown
  response.writeHead = (...words: unknown[]) => {
    id = (words.at(-1) as Record<string, unknown> | undefined)?.['request-id']
    return writeHead(...words)
  }
  response.end = (...words: unknown[]) => {
    const [body] = words
    const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body as string) : Buffer.alloc(0)
    done(() => void end(...words), bytes, id)
    return response
  }
}

/**
 * Adds faults to `/api/v2`, to test client programs: some requests are refused, cut off or answered late. A committed
 * write stays committed. The log tells the fault of each request.
 */
export function troubleRequests(handle: RequestListener, dice: Dice, publicUrl: string, log: Log): RequestListener {
  let count = 0
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    if (!/^\/api\/v2(?:\/|$)/.test(path)) return handle(request, response)
    count += 1
    const number = count
    const [chance, choice, share] = roll(dice.seed, number)
    if (chance >= dice.rate) return handle(request, response)
    const fault = faults[Math.floor(choice * faults.length)]!
    const tell = (id: unknown) => log.warn({ fault, number, method: request.method, path, request: id }, 'fault')

    if (fault === 'refused with 503' || fault === 'refused with 429') {
      const id = randomUUID()
      const problem = refusals[fault]
      tell(id)
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '1', 'request-id': id }
      return response.writeHead(problem.status, headers).end(printProblem(problem, publicUrl, path))
    }
    if (fault === 'cut before the service saw it') {
      tell(undefined)
      return request.socket.destroy()
    }
    const began = performance.now()
    catchAnswer(response, (send, body, id) => {
      tell(id)
      if (fault === 'answered after seconds') return setTimeout(send, 1_000 + 4_000 * share)
      if (fault === 'answered twice as slowly') return setTimeout(send, performance.now() - began)
      if (fault === 'cut after the work was done' || body.length < 2) return request.socket.destroy()
      return response.write(body.subarray(0, Math.ceil(body.length / 2)), () => request.socket.destroy())
    })
    return handle(request, response)
  }
}
