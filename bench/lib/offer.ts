import type { Socket } from 'node:net'
import { createReader, openConnection, printRequest } from './client.ts'

/** The service, and the paths of pages, lots and items for the requests. */
export type Target = { url: string; key: string; pages: string[]; lots: string[]; items: string[] }

/** A phase of the load: `rate` requests per second, or without a rate as many as the connections can take. */
export type Phase = { rate?: number; seconds: number; connections: number }

/**
 * The results of a phase. `answers` counts the requests by status, or by the failure in place of a status. `unsent`
 * requests found no free connection. `successes` has for each 2xx its due time (milliseconds from the start of the
 * phase) and its duration from then (milliseconds).
 */
export type Outcome = { answers: Record<string, number>; unsent: number; successes: [due: number, took: number][] }

type Ask = { due: number; settle: (answer: string, succeeded: boolean) => void }
type Connection = { socket: Socket; ask: Ask | undefined }

const longestWait = 10_000

// This runs in its own process. The first message is the target; each later one is a phase, which begins at once. A
// request takes a free connection, or opens one until the phase has all of its own.
function createClient({ url, key, pages, lots, items }: Target) {
  const { host } = new URL(url)
  const to = { host, key }
  const free: Connection[] = []
  const open = new Set<Connection>()
  const pick = (from: string[]) => from[Math.floor(Math.random() * from.length)]!

  function compose(): string {
    const kind = Math.random()
    if (kind < 0.45) return printRequest(to, 'GET', pick(pages))
    if (kind < 0.9) return printRequest(to, 'GET', pick(lots))
    return printRequest(to, 'PATCH', pick(items), { body: { condition: `Gezien ${Math.random()}` } })
  }

  let whenFree = () => undefined as void

  function connectOnce(): Connection {
    let failure = 'closed without an answer'
    const read = createReader((status, _bytes, head) => {
      const unsaid = [429, 503].includes(status) && !/\r\nretry-after: \d/i.test(head)
      const { ask } = connection
      connection.ask = undefined
      free.push(connection)
      ask?.settle(unsaid ? `${status} without Retry-After` : `${status}`, status >= 200 && status < 300)
      whenFree()
    })
    const socket = openConnection(url, read)
    const connection: Connection = { socket, ask: undefined }
    socket.on('error', (error: NodeJS.ErrnoException) => (failure = error.code ?? error.message))
    socket.on('close', () => {
      open.delete(connection)
      if (free.includes(connection)) free.splice(free.indexOf(connection), 1)
      connection.ask?.settle(failure, false)
    })
    open.add(connection)
    return connection
  }

  return function run({ rate, seconds, connections }: Phase): Promise<Outcome> {
    const outcome: Outcome = { answers: {}, unsent: 0, successes: [] }
    // Like a proxy, it opens its connections before the rush. During the rush a new one would wait long.
    if (rate !== undefined) while (open.size < connections) free.push(connectOnce())
    const begun = performance.now()
    let sent = 0
    let settled = 0
    return new Promise((resolve) => {
      const ask = (due: number) => {
        const connection = free.pop() ?? (open.size < connections ? connectOnce() : undefined)
        if (!connection) return false
        sent += 1
        connection.ask = {
          due,
          settle(answer, succeeded) {
            settled += 1
            outcome.answers[answer] = (outcome.answers[answer] ?? 0) + 1
            if (succeeded) outcome.successes.push([due - begun, performance.now() - due])
          },
        }
        connection.socket.write(compose())
        return true
      }
      // Without a rate, the next request goes out on each free connection. With a rate, it goes out when it is due.
      whenFree = () => {
        if (rate !== undefined) return
        while (performance.now() < begun + seconds * 1000 && ask(performance.now()));
      }
      const offer = () => {
        const now = performance.now()
        const elapsed = Math.min(now - begun, seconds * 1000)
        if (rate === undefined) whenFree()
        else {
          for (const due = Math.floor((elapsed * rate) / 1000); sent + outcome.unsent < due;) {
            if (!ask(begun + ((sent + outcome.unsent) * 1000) / rate)) outcome.unsent += 1
          }
        }
        for (const { ask: asked, socket } of open) {
          if (asked && now - asked.due > longestWait) socket.destroy(new Error('no answer in ten seconds'))
        }
        if (elapsed < seconds * 1000 || settled < sent) setTimeout(offer, 1)
        else resolve(outcome)
      }
      offer()
    })
  }
}

process.once('message', (target) => {
  const run = createClient(target as Target)
  process.on('message', (phase: Phase & { id: number }) => {
    void run(phase).then((outcome) => process.send!({ id: phase.id, outcome }))
  })
})
