import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { openClient } from '../../test/support/client.ts'
import type { Outcome, Phase, Target } from './offer.ts'

/** The pages, lots and items of the first 20 sessions. */
export async function findTarget(url: string, key: string): Promise<Target> {
  type Page = { data: { id: string; item: { id: string } }[]; next_cursor: string | null }
  const client = openClient(url, key)
  const target: Target = { url, key, pages: [], lots: [], items: [] }
  const sessions = await client.read<Page>('sessions?limit=20')
  for (const { id } of sessions.data) {
    const first = `/api/v2/lots?session=${id}&limit=25&expand[]=item&expand[]=item.images&expand[]=session`
    for (let page: string | undefined = first; page !== undefined;) {
      const { data, next_cursor }: Page = await client.read(page)
      target.pages.push(page)
      target.lots.push(...data.map((lot) => `/api/v2/lots/${lot.id}?expand[]=item`))
      target.items.push(...data.map(({ item }) => `/api/v2/items/${item.id}`))
      page = next_cursor === null ? undefined : `${first}&cursor=${next_cursor}`
    }
  }
  return target
}

/** The client that sends the load, in a process of its own. */
export function startClient(target: Target) {
  const child = fork(path.join(import.meta.dirname, 'offer.ts'))
  child.setMaxListeners(0).send(target)
  let phases = 0
  return {
    run(phase: Phase): Promise<Outcome> {
      const id = phases++
      child.send({ ...phase, id })
      return new Promise((resolve, reject) => {
        child.once('exit', () => reject(new Error('the client ended')))
        child.on('message', (message: { id: number; outcome: Outcome }) => {
          if (message.id === id) resolve(message.outcome)
        })
      })
    },
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}
