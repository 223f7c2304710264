import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathOf, type Call } from './call.ts'
import { createBuilder, expectedFor } from './calls.ts'
import { withCatalogue, type Catalogue } from './catalogue.ts'
import { createChecks } from './checks.ts'
import { openConnection } from './connection.ts'
import { readInterface, type Document, type Operation } from './document.ts'
import { makePictures } from './forms.ts'
import { makeHostile } from './hostile.ts'
import { defective } from './houses.ts'
import { createKnowledge } from './knowledge.ts'
import { createRandom, type Random } from './random.ts'
import { createReport } from './report.ts'
import { createSender } from './sender.ts'

const connections = 8
// Memory is measured after a tenth of the requests (when everything is compiled), after half, and at the end.
const mostGrowthMiB = 300
const mostLateGrowthMiB = 100

// The result of a run: the violations, and the lines of the report, which include them.
type Findings = { violations: string[]; lines: string[] }

/**
 * Starts a service and sends it requests made from its OpenAPI document and from earlier answers. The seed decides all
 * choices. Ids, and the order of answers, still differ from run to run.
 */
export async function fuzz({ requests, seed }: { requests: number; seed: number }): Promise<Findings> {
  return withCatalogue((catalogue) => run(catalogue, requests, seed))
}

// Writes are most frequent. Deletions are rare, so that records exist for a while.
const weightOf = ({ method, body }: Operation) => (body ? 3 : method === 'DELETE' ? 1 : 2)

async function run(catalogue: Catalogue, requests: number, seed: number): Promise<Findings> {
  const { origin, holders } = catalogue
  const api = readInterface((await (await fetch(`${origin}/api/v2/openapi.json`)).json()) as Document)
  const knowledge = createKnowledge(api)
  const pictures = await makePictures()
  const stolen = path.join(catalogue.folder, 'stolen.png')
  await writeFile(stolen, pictures[1]!)
  const builder = createBuilder({ api, knowledge, pictures, stolen })
  const report = createReport(origin, seed)
  const send = createSender({ api, knowledge, check: createChecks(api, knowledge, origin), report })
  const weights = api.operations.map((operation) => [weightOf(operation), operation] as const)
  const everything = holders.filter(([, { may }]) => may === 'everything')

  const build = (random: Random): Call => {
    const kind = random.weigh([
      [5, 'valid'],
      [4, 'almost'],
      [3, 'hostile'],
    ] as const)
    const operation = random.weigh(weights)
    if (kind === 'hostile') {
      const valid = builder.buildValid(random, operation, random.weigh(everything))
      return makeHostile(random, valid, { api, knowledge })
    }
    const holder = random.weigh(holders)
    const { expected, ...call } = builder[kind === 'valid' ? 'buildValid' : 'buildAlmost'](random, operation, holder)
    const right = expectedFor(holder, call.method, expected)
    // The ETag of another address must not give 304 for a record that does not exist.
    const tag = kind === 'almost' && call.method === 'GET' && random.chance(0.2) && random.pick(knowledge.tags)
    if (tag) call.headers = [...call.headers, ['If-None-Match', tag.etag]]
    return right ? { ...call, expected: right } : call
  }

  // Several requests at once, without waiting for answers. Node.js drops what follows an upgrade request in the same
  // packet.
  const mayPipeline = ({ close, broken, headers }: Call) =>
    !close && !broken && !headers.some(([name]) => name === 'Upgrade')
  const pipelined = (random: Random): Call => ({
    ...builder.buildValid(random, random.weigh(weights), random.weigh(everything)),
    kind: 'hostile',
    note: 'after another on the same connection',
  })

  // Reads every list at the start page by page, as a client would.
  async function readAll(): Promise<void> {
    const connection = openConnection(catalogue.port)
    const lists = api.operations.filter(({ query }) => query.some(({ name }) => name === 'cursor'))
    for (const limit of [100, 3]) {
      for (const [, holder] of everything) {
        for (const operation of lists) {
          const call = builder.buildValid(createRandom(seed, -limit), operation, holder)
          const expected = [200, 404, ...(holder.house === defective ? [500] : [])]
          await send(connection, [{ ...call, target: `${pathOf(call)}?limit=${limit}`, expected }], -1)
        }
      }
    }
    connection.close()
  }

  let next = 0
  const memory: number[] = []
  async function work(): Promise<void> {
    const connection = openConnection(catalogue.port)
    const limited = openConnection(catalogue.limitedPort)
    while (next < requests) {
      const index = next++
      if (index === Math.floor(requests / 10) || index === Math.floor(requests / 2))
        memory.push(await catalogue.memory())
      const random = createRandom(seed, index)
      const calls = [build(random)]
      if (random.chance(0.02) && mayPipeline(calls[0]!))
        for (let more = random.size(8); more > 0 && next < requests; more--, next++) calls.push(pipelined(random))
      const isLimited = random.chance(0.01)
      await send(isLimited ? limited : connection, calls, index, isLimited)
    }
    connection.close()
    limited.close()
  }

  const begun = performance.now()
  await readAll()
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - begun) / 1000
  memory.push(await catalogue.memory())
  const [warm, half, end] = memory as [number, number, number]
  const spread = `${memory.map((each) => each.toFixed(0)).join(', ')} MiB after a tenth, half and all of the requests`
  if (end - warm > mostGrowthMiB || end - half > mostLateGrowthMiB) report.violateAfterwards(`memory grows: ${spread}`)
  for (const what of await catalogue.examine(api.problems)) report.violateAfterwards(what)

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
