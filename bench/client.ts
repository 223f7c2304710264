import { connect, type Socket } from 'node:net'

/** What 16 connections got in the time of a measurement. */
export type Measured = { perSecond: number; bytes: number }

const connections = 16
const headEnd = Buffer.from('\r\n\r\n')

// Far cheaper than node:http's client, which would take from the machine what the servers need. Answers must be 200
// and have a Content-Length.
function createReader(onAnswer: (bytes: number) => void) {
  let pieces: Buffer[] = []
  let missing = 0
  let length = 0
  return (piece: Buffer) => {
    if (missing > 0) {
      missing -= piece.length
    } else {
      pieces.push(piece)
      const answer = pieces.length === 1 ? piece : Buffer.concat(pieces)
      const end = answer.indexOf(headEnd)
      if (end === -1) return
      const head = answer.toString('latin1', 0, end)
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(answer.toString())
      length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)![1])
      missing = end + headEnd.length + length - answer.length
      pieces = []
    }
    if (missing === 0) onAnswer(length)
  }
}

/** Asks for a URL on 16 kept connections, each with one request at a time, for some seconds. */
export async function measure(url: string, key: string, seconds: number): Promise<Measured> {
  const { hostname, port, host, pathname, search } = new URL(url)
  const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const begun = performance.now()
  const deadline = begun + seconds * 1000
  let answers = 0
  let bytes = 0

  function run(): Promise<void> {
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
    return new Promise((resolve, reject) => {
      const read = createReader((length) => {
        answers += 1
        bytes = length
        if (performance.now() < deadline) socket.write(request)
        else socket.end()
      })
      socket.on('connect', () => socket.write(request))
      socket.on('data', (piece) => {
        try {
          read(piece)
        } catch (error) {
          socket.destroy(error as Error)
        }
      })
      socket.on('error', reject).on('close', () => resolve())
    })
  }
  await Promise.all(Array.from({ length: connections }, run))
  return { perSecond: answers / ((performance.now() - begun) / 1000), bytes }
}
