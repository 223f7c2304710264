import { findPort } from '../../test/support/process.ts'
import { openRelay } from '../../test/support/tunnel.ts'
import { random } from '../lib/random.ts'

const fates = ['passed', 'swallowed', 'left', 'cut'] as const

/**
 * A proxy in front of a service that breaks most of its connections. Each is for one request, and has a fate.
 * `swallowed`: the answer is dropped. `left`: the client is cut off once its request has gone on. `cut`: the request
 * breaks off in the middle. `passed`: everything is passed on.
 */
export async function openProxy(port: number) {
  const own = await findPort()
  const counts = { passed: 0, swallowed: 0, left: 0, cut: 0 }
  const relay = await openRelay({ port: own, host: '127.0.0.1' }, { port, host: '127.0.0.1' }, (client, server) => {
    const fate = random.pick(fates)
    counts[fate]++
    client.on('data', (piece) => {
      server.write(fate === 'cut' ? piece.subarray(0, piece.length / 2) : piece)
      if (fate === 'cut' || fate === 'left') client.destroy()
      if (fate === 'cut') server.destroy()
    })
    server.on('data', (piece) => {
      if (fate === 'passed') client.write(piece)
      else client.destroy()
    })
    server.on('end', () => client.end())
    client.on('end', () => fate === 'passed' && server.end())
  })
  return { port: own, counts, close: relay.close }
}
