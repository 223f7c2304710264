import { findPort } from '../../test/support/process.ts'
import { openRelay } from '../../test/support/tunnel.ts'

const fates = ['passed', 'swallowed', 'left', 'cut'] as const

/**
 * What becomes of a connection: the answer is `swallowed` when it is there, the client is `left` alone once its request has
 * gone on, the request is `cut` in the middle, or everything is `passed` on.
 */
export type Fate = (typeof fates)[number]

/** A way to a service that breaks most of its connections. Each is for one request. */
export async function openProxy(port: number): Promise<{ port: number; counts: Record<Fate, number>; close(): void }> {
  const own = await findPort()
  const counts = { passed: 0, swallowed: 0, left: 0, cut: 0 }
  const relay = await openRelay({ port: own, host: '127.0.0.1' }, { port, host: '127.0.0.1' }, (client, server) => {
    const fate = fates[Math.floor(Math.random() * fates.length)]!
    counts[fate]++
    client.on('data', (piece) => {
      server.write(fate === 'cut' ? piece.subarray(0, piece.length / 2) : piece)
      if (fate === 'passed' || fate === 'swallowed') return
      client.destroy()
      if (fate === 'cut') server.destroy()
    })
    server.on('data', (piece) => {
      if (fate === 'passed') client.write(piece)
      else client.destroy()
    })
    server.on('end', () => client.end())
    client.on('end', () => fate === 'passed' && server.end())
  })
  return { port: own, counts, close: () => relay.close() }
}
