import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/**
 * A flood: `connections` with `ahead` requests for `path` under way on each. `key`: sent with each request; `random`
 * is a new one each time. `habit`: what the client does besides reading.
 */
export type Flood = {
  url: string
  connections: number
  ahead: number
  path: string
  method?: 'GET' | 'HEAD'
  key?: string
  habit?: 'reads nothing' | 'leaves at once' | 'leaves after an answer' | 'sends half'
}

/** The answers to a flood by status, and the connections that the service has closed. */
export type Flooded = { answers: Record<string, number>; ended: number }

const status = Buffer.from('HTTP/1.1 ')
const pauseMilliseconds = 20

// Counts only the beginnings of answers, which is cheaper than parsing.
function countAnswers(piece: Buffer, answers: Record<string, number>): number {
  let count = 0
  for (let at = piece.indexOf(status); at !== -1; at = piece.indexOf(status, at + status.length)) {
    const code = piece.toString('latin1', at + status.length, at + status.length + 3)
    answers[code] = (answers[code] ?? 0) + 1
    count += 1
  }
  return count
}

function flood({ url, connections, ahead, path, method = 'GET', key, habit }: Flood): Flooded {
  const { hostname, port, host } = new URL(url)
  const flooded: Flooded = { answers: {}, ended: 0 }
  const request = () => {
    const secret = key === 'random' ? `ack_${randomBytes(16).toString('hex')}` : key
    const header = secret === undefined ? '' : `Authorization: Bearer ${secret}\r\n`
    return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${header}${habit === 'sends half' ? '' : '\r\n'}`
  }
  const requests = (count: number) => Array.from({ length: count }, request).join('')
  function open() {
    const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      flooded.ended += 1
      setTimeout(open, pauseMilliseconds)
    })
    socket.on('connect', () => {
      socket.write(requests(ahead), () => {
        if (habit === 'leaves at once') socket.resetAndDestroy()
      })
    })
    if (habit === 'reads nothing') socket.pause()
    else
      socket.on('data', (piece) => {
        const answers = countAnswers(piece, flooded.answers)
        if (habit === 'leaves after an answer') socket.end()
        else socket.write(requests(answers))
      })
  }
  for (let count = 0; count < connections; count++) open()
  return flooded
}

// This runs in a process of its own. The first message is the flood, the second asks for the counts.
process.once('message', (wanted) => {
  const flooded = flood(wanted as Flood)
  process.on('message', () => process.send!(flooded))
})
