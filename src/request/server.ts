import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * After how many milliseconds a slow client is cut off: when its headers, or its whole request, have not arrived; when
 * nothing of a JSON body has; and when nothing has moved on its connection, or nothing of an answer that it does not read.
 */
export type Timeouts = { headers: number; request: number; body: number; idle: number }

// Requests of one connection that wait for the one before. Who sends more than this ahead is no storefront.
const mostAhead = 32

// Node hands over at once all requests that came in one piece, and forgets none of them while their answers wait to be
// sent. Here the next one begins when the answer before it has left.
function takeTurns(handle: RequestListener): RequestListener {
  const ahead = new WeakMap<Socket, (() => void)[]>()
  function beginNext(socket: Socket) {
    const next = socket.writable ? ahead.get(socket)?.shift() : undefined
    if (next) next()
    else ahead.delete(socket)
  }
  return (request, response) => {
    const { socket } = request
    const begin = () => {
      response.once('close', () => beginNext(socket))
      handle(request, response)
    }
    const queue = ahead.get(socket)
    if (!queue) {
      ahead.set(socket, [])
      begin()
    } else if (queue.push(begin) > mostAhead) socket.destroy()
  }
}

// What the kernel has not taken of the writes under way: no public property tells a write that goes on from one that is stuck.
function countUnsent(socket: Socket): number {
  // oxlint-disable-next-line no-underscore-dangle
  return (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0
}

// Where an answer is stuck, what the client sends meanwhile is no progress.
function measureProgress(socket: Socket): string {
  const unsent = countUnsent(socket)
  return `${unsent} ${socket.bytesWritten} ${unsent > 0 ? '' : socket.bytesRead}`
}

// Node's own time-out begins anew for a write that is stuck: it compares what is left with all that was to be written.
function cutOffIdle(server: Server, milliseconds: number): void {
  const seen = new Map<Socket, { progress: string; at: number }>()
  server.on('connection', (socket) => {
    seen.set(socket, { progress: measureProgress(socket), at: performance.now() })
    socket.once('close', () => seen.delete(socket))
  })
  function check() {
    const now = performance.now()
    for (const [socket, last] of seen) {
      const progress = measureProgress(socket)
      if (progress !== last.progress) seen.set(socket, { progress, at: now })
      else if (now - last.at >= milliseconds) socket.destroy()
    }
  }
  server.once('listening', () => {
    const timer = setInterval(check, milliseconds / 20).unref()
    server.once('close', () => clearInterval(timer))
  })
}

/** The HTTP server: it cuts slow clients off, and works the requests of one connection off one after the other. */
export function createHttpServer(handle: RequestListener, timeouts: Timeouts): Server {
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: 72_000,
      connectionsCheckingInterval: timeouts.headers / 10,
    },
    takeTurns(handle),
  )
  cutOffIdle(server, timeouts.idle)
  return server
}
