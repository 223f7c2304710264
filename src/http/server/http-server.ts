import { createServer, IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TakeTurn } from './callers.ts'

/**
 * Time-outs for slow clients, in milliseconds: for the headers, for the whole request, for the next piece of a JSON
 * body, and for any progress on the connection (or on an answer that the client does not read).
 */
export type Timeouts = { headers: number; request: number; body: number; idle: number }

// How many requests of one connection may wait. No storefront pipelines more.
const mostAhead = 32

// Node handles each chunk of a body separately, at the same cost for one byte and for 64 KiB. So a request may have
// 2,048 chunks, and one more for every 64 bytes.
const mostChunks = 2_048
const averageBytes = 64

/** The code of the error for a client whose chunks are too small. */
export const tooManyChunks = 'TOO_MANY_CHUNKS'

function countChunks(onExcess: (socket: Socket) => void) {
  const counts = new WeakMap<Socket, { chunks: number; bytes: number }>()
  class Request extends IncomingMessage {
    override push(piece: Buffer | null): boolean {
      if (piece === null || this.headers['transfer-encoding'] === undefined) return super.push(piece)
      // The parser still emits data that it has already read.
      if (this.socket.destroyed) return true
      const count = counts.get(this.socket)!
      count.chunks += 1
      count.bytes += piece.length
      if (count.chunks <= mostChunks + count.bytes / averageBytes) return super.push(piece)
      onExcess(this.socket)
      return true
    }
  }
  const reset = (socket: Socket) => counts.set(socket, { chunks: 0, bytes: 0 })
  return { Request, reset }
}

// Node starts all requests that arrive in one piece at once, and queues their answers. Here the next request begins
// in the turn of the event loop after the previous answer. A stopping server closes only idle connections, so the
// others are closed here, after their answers.
function takeTurns(
  handle: RequestListener,
  takeTurn: TakeTurn,
  onBegin: (socket: Socket) => void,
  isStopping: () => boolean,
): RequestListener {
  const ahead = new WeakMap<Socket, (() => void)[]>()
  function beginNext(socket: Socket) {
    const next = socket.writable ? ahead.get(socket)?.shift() : undefined
    if (next) {
      setImmediate(next)
      return
    }
    ahead.delete(socket)
    if (isStopping()) socket.end()
  }
  return (request, response) => {
    const { socket } = request
    const begin = () => {
      if (socket.destroyed) return false
      onBegin(socket)
      response.once('close', () => beginNext(socket))
      // Node itself would read the rest of a body without counting its chunks. So it is read here first.
      response.prependOnceListener('finish', () => request.resume())
      handle(request, response)
      return true
    }
    const waitForTurn = () => takeTurn(request, begin)
    const queue = ahead.get(socket)
    if (!queue) {
      ahead.set(socket, [])
      // Its body may arrive before its turn.
      onBegin(socket)
      waitForTurn()
    } else if (queue.push(waitForTurn) > mostAhead) socket.destroy()
  }
}

// The bytes that the kernel has not accepted yet. No public property tells a slow write from a stuck one.
function countUnsent(socket: Socket): number {
  // oxlint-disable-next-line no-underscore-dangle
  return (socket as Socket & { _handle?: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0
}

// While an answer is stuck, incoming data is not progress.
function measureProgress(socket: Socket): string {
  const unsent = countUnsent(socket)
  return `${unsent} ${socket.bytesWritten} ${unsent > 0 ? '' : socket.bytesRead}`
}

type Choose = (sockets: Iterable<Socket>) => Socket[]

/** Closes the connections that `choose` returns, at an interval. */
function cutOff(server: Server, watches: { choose: Choose; milliseconds: number }[]): void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.once('listening', () => {
    const timers = watches.map(({ choose, milliseconds }) =>
      setInterval(() => choose(sockets).forEach((socket) => socket.destroy()), milliseconds).unref(),
    )
    server.once('close', () => timers.forEach((timer) => clearInterval(timer)))
  })
}

// Node's own time-out compares the rest with the whole write, so it restarts for a stuck write.
function findIdle(milliseconds: number): Choose {
  const seen = new WeakMap<Socket, { progress: string; at: number }>()
  return (sockets) => {
    const now = performance.now()
    return [...sockets].filter((socket) => {
      const progress = measureProgress(socket)
      const last = seen.get(socket)
      if (last?.progress === progress) return now - last.at >= milliseconds
      seen.set(socket, { progress, at: now })
      return false
    })
  }
}

// The memory for all unread answers above a megabyte each. Smaller ones fit into the buffers of the kernel.
const largeBytes = 1024 ** 2
const mostUnsent = 256 * largeBytes

const findLargest: Choose = (sockets) => {
  const large = Array.from(sockets, (socket) => ({ socket, unsent: countUnsent(socket) }))
    .filter(({ unsent }) => unsent > largeBytes)
    .toSorted((one, other) => one.unsent - other.unsent)
  let sum = 0
  return large.filter(({ unsent }) => (sum += unsent) > mostUnsent).map(({ socket }) => socket)
}

/**
 * The HTTP server. It disconnects clients that are slow, send tiny chunks or leave large answers unread. It handles
 * the requests of a connection one after the other, each when `takeTurn` lets it begin.
 */
export function createHttpServer(handle: RequestListener, timeouts: Timeouts, takeTurn: TakeTurn): Server {
  const { Request, reset } = countChunks((socket) => {
    const error = new Error('The chunks of the body are too small.')
    server.emit('clientError', Object.assign(error, { code: tooManyChunks }), socket)
    socket.destroy()
  })
  const server: Server = createServer(
    {
      IncomingMessage: Request,
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: 72_000,
      connectionsCheckingInterval: timeouts.headers / 10,
    },
    takeTurns(handle, takeTurn, reset, () => !server.listening),
  )
  cutOff(server, [
    { choose: findIdle(timeouts.idle), milliseconds: timeouts.idle / 20 },
    { choose: findLargest, milliseconds: 250 },
  ])
  return server
}
