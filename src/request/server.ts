import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Time-outs for slow clients, in milliseconds: for the headers, for the whole request, for the next piece of a JSON
 * body, and for any progress on the connection (or on an answer that the client does not read).
 */
export type Timeouts = { headers: number; request: number; body: number; idle: number }

// How many requests of one connection may wait. No storefront sends more than this ahead.
const mostAhead = 32

// Node starts all requests that arrive in one piece at once, and holds them while their answers wait to be sent. Here
// the next one begins when the answer before it has left.
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

// The bytes that the kernel has not accepted yet. No public property tells a slow write from a stuck one.
function countUnsent(socket: Socket): number {
  // oxlint-disable-next-line no-underscore-dangle
  return (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0
}

// While an answer is stuck, data that the client sends is not progress.
function measureProgress(socket: Socket): string {
  const unsent = countUnsent(socket)
  return `${unsent} ${socket.bytesWritten} ${unsent > 0 ? '' : socket.bytesRead}`
}

// Node's own time-out restarts for a stuck write, because it compares the rest with the whole write.
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

/** The HTTP server. It cuts slow clients off and handles the requests of a connection one after the other. */
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
