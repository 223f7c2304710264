import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The most that node:http can do: it answers each request with as many bytes as the path says, and asks no database. How
// much its own figures differ is the noise of the machine.
const bodies = new Map<string, Buffer>()

function findBody(path: string): Buffer {
  const known = bodies.get(path) ?? Buffer.alloc(Number(path.slice(1)), 'x')
  bodies.set(path, known)
  return known
}

const server = createServer(({ url }, response) => {
  const body = findBody(url!)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
