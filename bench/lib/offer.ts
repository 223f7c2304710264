import { connect, type Socket } from 'node:net'
import { createReader, printRequest } from './client.ts'

/** Where requests go, and of what they are mixed. Paths of pages, lots and items. */
export type Target = { url: string; key: string; pages: string[]; lots: string[]; items: string[] }

/** So many requests a second, or as many as the connections take, for some seconds. */
export type Phase = { rate?: number; seconds: number; connections: number }

/**
 * What became of the requests of a phase: how many got each status (or what came instead of one), how many were not sent
 * because every connection was waiting, and of those that succeeded when they were due and how long they took, in
 * milliseconds from the beginning of the phase and from then.
 */
export type Outcome = { answers: Record<string, number>; unsent: number; successes: [due: number, took: number][] }

type Ask = { due: number; settle: (answer: string, succeeded: boolean) => void }
type Connection = { socket: Socket; ask: Ask | undefined }

const longestWait = 10_000

// A process of its own: it is told where by its first message, and each one after that is a phase, which begins at once.
// Connections are kept; a request takes one that is free, or opens one as long as the phase has not that many.
function createClient({ url, key, pages, lots, items }: Target) {
  const { hostname, port, host } = new URL(url)
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
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const connection: Connection = { socket, ask: undefined }
    let failure = 'closed without an answer'
    const read = createReader((status, _bytes, head) => {
      const unsaid = [429, 503].includes(status) && !/\r\nretry-after: \d/i.test(head)
      const { ask } = connection
      connection.ask = undefined
      free.push(connection)
      ask?.settle(unsaid ? `${status} without Retry-After` : `${status}`, status >= 200 && status < 300)
      whenFree()
    })
    socket.on('data', read).on('error', (error: NodeJS.ErrnoException) => (failure = error.code ?? error.message))
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
    // As of a proxy, whose connections are open before the rush: while it lasts, new ones wait long to be accepted.
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
      // A closed loop asks again as soon as a connection is free; an open one only when a request is due.
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
