import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../../problems.ts'
import { printProblem } from '../errors.ts'
import { tooManyChunks } from './http-server.ts'

function toParserProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('payload-too-large', 'The headers are larger than 16 KiB.', { status: 431 })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('malformed-json', 'The request did not arrive in time.', { status: 408 })
  }
  if (code === tooManyChunks) {
    return new Problem('malformed-json', 'The body comes in too many small chunks; send it in larger ones.')
  }
  return new Problem('malformed-json', 'The request is not valid HTTP/1.1.')
}

/** The handler of requests that the HTTP parser refuses. They never reach a route; the client still gets a problem. */
export function createClientErrorHandler(publicUrl: string) {
  return (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const problem = toParserProblem(error.code)
    const body = printProblem(problem, publicUrl, '/')
    const head = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`
    const headers = `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\nRequest-Id: ${randomUUID()}`
    return socket.end(`${head}\r\n${headers}\r\n\r\n${body}`)
  }
}
