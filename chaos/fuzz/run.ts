import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { pathOf, type Call } from './call.ts'
import { createBuilder, plansOf, type Plan } from './calls.ts'
import { createChecks } from './checks.ts'
import { openConnection, type Connection } from './connection.ts'
import { readInterface, type Document } from './document.ts'
import { makePictures } from './forms.ts'
import { defective } from './houses.ts'
import { createKnowledge } from './knowledge.ts'
import { createReport } from './report.ts'
import { createSender } from './sender.ts'
import { withService, type Target } from './service.ts'

const connections = 8
// Memory is measured after a tenth of the requests (when everything is compiled), after half, and at the end.
const mostGrowthMiB = 300
const mostLateGrowthMiB = 100
// How often a request that showed a new violation is sent again, made simpler.
const mostSimpler = 60

// Neighbours among seeds begin alike.
const mix = (seed: number, index: number) => Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)

// The result of a run: the violations, and the lines of the report, which include them.
type Findings = { violations: string[]; lines: string[] }

/**
 * Starts a service and sends it requests made from its OpenAPI document and from earlier answers. The seed decides all
 * choices. Ids, and the order of answers, still differ from run to run.
 */
export async function fuzz({ requests, seed }: { requests: number; seed: number }): Promise<Findings> {
  return withService((target) => run(target, requests, seed))
}

async function run(target: Target, requests: number, seed: number): Promise<Findings> {
  const { origin, holders } = target
  const api = readInterface((await (await fetch(`${origin}/api/v2/openapi.json`)).json()) as Document)
  const knowledge = createKnowledge(api)
  const pictures = await makePictures()
  const stolen = path.join(target.folder, 'stolen.png')
  await writeFile(stolen, pictures[1]!)
  const build = createBuilder({ api, knowledge, pictures, stolen, holders })
  const plans = plansOf({ api, holders })
  const report = createReport(origin, seed)
  const send = createSender({ api, knowledge, check: createChecks(api, knowledge, origin), report })
  const planAt = (index: number) => fc.sample(plans, { seed: mix(seed, index), numRuns: 1 })[0]!

  // Several requests at once, without waiting for answers. Node.js drops what follows an upgrade request in the same
  // packet.
  const mayPipeline = ({ close, broken, headers }: Call) =>
    !close && !broken && !headers.some(([name]) => name === 'Upgrade')
  const pipelined = (index: number): Call => {
    const call = build({ ...planAt(index), kind: 'valid', holder: 0 })
    return { ...call, kind: 'hostile', note: 'after another on the same connection' }
  }

  // Reads every list at the start page by page, as a client would.
  async function readAll(): Promise<void> {
    const connection = openConnection(target.port)
    for (const limit of [100, 3])
      for (const [, holder] of holders.filter(([, { may }]) => may === 'everything'))
        for (const { query, places, path, method } of api.operations) {
          if (!query.some(({ name }) => name === 'cursor')) continue
          const ids = places.map(
            (place) => knowledge.pickRecord(holder.house, place, 0)?.at(-1) ?? api.prefixAt(place)! + '0',
          )
          const address = path.replaceAll(/\{\w+\}/g, () => ids.shift()!)
          const expected = [200, 404, ...(holder.house === defective ? [500] : [])]
          const call = { kind: 'valid' as const, note: 'valid', holder, method, headers: [], expected }
          await send(connection, [{ ...call, target: `${address}?limit=${limit}` }], -1)
        }
    connection.close()
  }

  // Sends a request, and simpler ones in its place as long as they show the violations that it was the first to show.
  async function tryOne(index: number, connection: Connection, limited: Connection): Promise<void> {
    const own = mix(seed, index)
    const isLimited = index % 100 === 50
    const more = index % 50 === 25 ? 1 + (index % 7) : 0
    let fresh: string[] | undefined
    let simpler = 0
    const attempt = async (plan: Plan) => {
      if (fresh && ++simpler > mostSimpler) return true
      const calls = [build(plan)]
      if (mayPipeline(calls[0]!))
        for (let each = 1; each <= more; each++) calls.push(pipelined(index + each * requests))
      const known = report.known()
      const shown = await send(isLimited ? limited : connection, calls, index, isLimited)
      fresh ??= shown.filter((rule) => !known.has(rule))
      return !shown.some((rule) => fresh!.includes(rule))
    }
    await fc.check(fc.asyncProperty(plans, attempt), { seed: own, numRuns: 1 })
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
      const call = build({ ...planAt(index), kind: 'almost', holder: 0 })
      const { operation, holder } = call
      if (call.method !== 'PATCH' || !api.match('GET', pathOf(call)) || operation!.path.endsWith('gallery')) continue
      const read = async () => {
        const headers = { authorization: `Bearer ${holder.key}` }
        return (await fetch(origin + pathOf(call), { headers })).headers.get('etag')?.replace(/\.\d+"$/, '')
      }
      const before = await read()
      const shown = await send(connection, [call], index)
      if (report.last() >= 400 && shown.length === 0 && (await read()) !== before)
        report.violate(operation!.name, 'a refused write changed its record', index, call, '')
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
  if (end - warm > mostGrowthMiB || end - half > mostLateGrowthMiB) report.violateAfterwards(`memory grows: ${spread}`)
  for (const what of await target.settle()) report.violateAfterwards(what)
  await refuseWrites()
  for (const what of await target.examine(api.problems)) report.violateAfterwards(what)

  const violations = report.listViolations()
  return {
    violations,
    lines: [
      ...report.table(),
      '',
      `${requests} requests in ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)}/s), seed ${seed}: ${report.describe()}`,
      `memory ${spread}`,
      violations.length === 0 ? 'no violations' : `${violations.length} kinds of violations:`,
      ...violations,
    ],
  }
}
