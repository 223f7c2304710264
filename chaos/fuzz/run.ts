import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { createRandom } from '../lib/random.ts'
import { pathOf, type Call } from './call.ts'
import { createChecks } from './checks.ts'
import { openConnection, type Connection } from './connection.ts'
import { readInterface, type Document } from './document.ts'
import { makePictures } from './forms.ts'
import { defective } from './houses.ts'
import { createKnowledge } from './knowledge.ts'
import { createRequests } from './requests.ts'
import { createSender } from './sender.ts'
import { withService, type Target } from './service.ts'

const connections = 8
// Memory is measured after a tenth of the requests (when everything is compiled), after half, and at the end.
const mostGrowthMiB = 300
const mostLateGrowthMiB = 100
// How often a request that showed a new violation is sent again, made simpler.
const mostSimpler = 60

const kinds = [
  [5, 'valid'],
  [4, 'almost'],
  [3, 'hostile'],
] as const
const isShown = new Error('a violation is shown again')

// Node.js drops what follows an upgrade request in the same packet.
const mayPipeline = ({ close, broken, headers }: Call) =>
  !close && !broken && !headers.some(([name]) => name === 'Upgrade')

/**
 * Starts a service and sends it requests made from its OpenAPI document and from earlier answers. The seed decides all
 * choices. Ids, and the order of answers, still differ from run to run. The lines of the report include the violations.
 */
export async function fuzz({ requests, seed }: { requests: number; seed: number }) {
  return withService((target) => run(target, requests, seed))
}

async function run(target: Target, requests: number, seed: number) {
  const { origin, holders } = target
  const api = readInterface((await (await fetch(`${origin}/api/v2/openapi.json`)).json()) as Document)
  const knowledge = createKnowledge(api)
  const pictures = await makePictures()
  const stolen = path.join(target.folder, 'stolen.png')
  await writeFile(stolen, pictures[1]!)
  const requestsOf = createRequests({ api, knowledge, pictures, stolen, holders })
  const sender = createSender(origin, knowledge, createChecks(api, knowledge, origin))
  const owner = holders[0]![1]

  const sampleOf = (kind: Call['kind'], index: number): Call => {
    const random = createRandom(seed, index)
    return fc.sample(requestsOf(kind, random, owner), { seed: random.below(2 ** 31), numRuns: 1 })[0]!
  }

  // Reads every list at the start page by page, as a client would.
  async function readAll(): Promise<void> {
    const connection = openConnection(target.port)
    for (const limit of [100, 3])
      for (const [, holder] of holders.filter(([, { may }]) => may === 'everything'))
        for (const { query, places, path, method } of api.operations) {
          if (!query.some(({ name }) => name === 'cursor')) continue
          const ids = places.map((at) => knowledge.recordsAt(holder.house, at)[0]?.at(-1) ?? `${api.prefixes.get(at)}0`)
          const address = path.replaceAll(/\{\w+\}/g, () => ids.shift()!)
          const expected = [200, 404, ...(holder.house === defective ? [500] : [])]
          const call = { kind: 'valid' as const, note: 'valid', holder, method, headers: [], expected }
          await sender.send(connection, [{ ...call, target: `${address}?limit=${limit}` }], -1)
        }
    connection.close()
  }

  // Sends a request, and simpler ones in its place as long as they show the violations that it was the first to show.
  async function tryOne(index: number, connection: Connection, limited: Connection): Promise<void> {
    const random = createRandom(seed, index)
    const isLimited = index % 100 === 50
    // Several requests at once, without waiting for answers.
    const more = index % 50 === 25 ? 1 + (index % 7) : 0
    let fresh: string[] | undefined
    let simpler = 0
    const attempt = async (call: Call) => {
      if (fresh && ++simpler > mostSimpler) return
      const followers = Array.from({ length: mayPipeline(call) ? more : 0 }, (_, each): Call => {
        const next = sampleOf('valid', index + (each + 1) * requests)
        return { ...next, kind: 'hostile', note: 'after another on the same connection' }
      })
      const known = sender.knownRules()
      const { shown } = await sender.send(isLimited ? limited : connection, [call, ...followers], index, isLimited)
      fresh ??= shown.filter((rule) => !known.has(rule))
      if (shown.some((rule) => fresh!.includes(rule))) throw isShown
    }
    const calls = requestsOf(random.weigh(kinds), random)
    const once = { seed: random.below(2 ** 31), numRuns: 1 }
    const { errorInstance } = await fc.check(fc.asyncProperty(calls, attempt), once)
    if (errorInstance && errorInstance !== isShown) throw errorInstance
  }

  let next = 0
  const memory: number[] = []
  async function work(): Promise<void> {
    const connection = openConnection(target.port)
    const limited = openConnection(target.limitedPort)
    while (next < requests) {
      const index = next++
      if (index === Math.floor(requests / 10) || index === Math.floor(requests / 2)) memory.push(await target.memory())
      await tryOne(index, connection, limited)
    }
    connection.close()
    limited.close()
  }

  // A refused write leaves its record as it was. Others write no more, and no job runs.
  async function refuseWrites(): Promise<void> {
    const connection = openConnection(target.port)
    for (let index = 2 * requests; index < 2.5 * requests; index++) {
      const call = sampleOf('almost', index)
      const { operation, holder } = call
      if (call.method !== 'PATCH' || !api.match('GET', pathOf(call)) || operation!.path.endsWith('gallery')) continue
      const read = async () => {
        const headers = { authorization: `Bearer ${holder.key}` }
        return (await fetch(origin + pathOf(call), { headers })).headers.get('etag')?.replace(/\.\d+"$/, '')
      }
      const before = await read()
      const { shown, status } = await sender.send(connection, [call], index)
      if (status >= 400 && shown.length === 0 && (await read()) !== before)
        sender.violate(operation!.name, 'a refused write changed its record', index, call)
    }
    connection.close()
  }

  const begun = performance.now()
  await readAll()
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - begun) / 1000
  memory.push(await target.memory())
  const [warm, half, end] = memory as [number, number, number]
  const spread = `${memory.map((each) => each.toFixed(0)).join(', ')} MiB after a tenth, half and all of the requests`
  if (end - warm > mostGrowthMiB || end - half > mostLateGrowthMiB) sender.violateAfterwards(`memory grows: ${spread}`)
  for (const what of await target.settle()) sender.violateAfterwards(what)
  await refuseWrites()
  for (const what of await target.examine(api.problems)) sender.violateAfterwards(what)

  const violations = sender.listViolations()
  return {
    violations,
    lines: [
      ...sender.listCounts(),
      `${requests} requests in ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)}/s), seed ${seed}`,
      `memory ${spread}`,
      violations.length === 0 ? 'no violations' : `${violations.length} kinds of violations:`,
      ...violations,
    ],
  }
}
