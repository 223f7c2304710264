import { bytesOf, pathOf, type Call } from './call.ts'
import type { createChecks } from './checks.ts'
import type { Answer, Connection } from './connection.ts'
import type { Interface, Operation } from './document.ts'
import { canonicalAddress, taggedAddress, type Knowledge } from './knowledge.ts'
import { filtersOf } from './queries.ts'
import type { createReport } from './report.ts'

type Parts = {
  api: Interface
  knowledge: Knowledge
  check: ReturnType<typeof createChecks>
  report: ReturnType<typeof createReport>
}

/** Makes the function that sends calls. It has their answers checked and counted, and learns from the right ones. */
export function createSender({ api, knowledge, check, report }: Parts) {
  function learn(call: Call, answer: Answer, operation: Operation, body: Record<string, unknown> | undefined): void {
    const { house, may } = call.holder
    // A dry run leaves no record.
    if (may === 'nothing' || answer.status >= 300 || answer.headers.has('dry-run')) return
    const inPath = pathOf(call)
      .split('/')
      .filter((_, at) => operation.segments[at] === undefined)
    const ids = operation.places.map((place, at) => `${api.prefixAt(place)}${inPath[at]!.slice(-36).toLowerCase()}`)
    if (call.method === 'DELETE') knowledge.forget(house, operation.places.at(-1)!, ids)
    if (!body) return
    knowledge.learn(house, operation, ids, answer.body.toString(), body)
    const etag = answer.headers.get('etag')
    if (etag !== undefined && call.method === 'GET')
      knowledge.addTag({ house, address: taggedAddress(call.target), etag })
    const { next_cursor: cursor } = body
    if (typeof cursor === 'string')
      knowledge.addCursor({ house, path: canonicalAddress(pathOf(call)), filters: filtersOf(call.target), cursor })
  }

  const nameOf = (call: Call, operation: Operation | undefined) =>
    call.broken ? 'broken HTTP' : (operation?.name ?? (pathOf(call).startsWith('/media') ? 'media' : 'no operation'))

  function judge(call: Call, answer: Answer, index: number, limited: boolean): void {
    const { operation, violations, body } = check(call, answer, limited)
    const name = nameOf(call, operation)
    report.count(name, answer.status, call)
    report.milliseconds.push(answer.milliseconds)
    for (const rule of violations)
      report.violate(name, rule, index, call, `${answer.status} ${answer.body.toString('latin1')}`)
    if (operation && violations.length === 0) learn(call, answer, operation, body)
  }

  /** Sends calls on one connection without waiting between them. The answers come in the same order. */
  return async function send(connection: Connection, calls: Call[], index: number, limited = false): Promise<void> {
    const { abort, close = false, broken } = calls[0]!
    const methods = calls.map(({ method }) => method)
    const bytes = Buffer.concat(calls.map(bytesOf))
    const ending = { close, ...(abort !== undefined && { abort }) }
    const { answers, late, surplus } = await connection.exchange(bytes, methods, ending)
    for (const [at, answer] of answers.entries()) judge(calls[at]!, answer, index, limited)
    if (surplus > 0) report.violate('connection', 'an answer without a request', index, calls[0]!, '')
    const unanswered = calls.slice(answers.length)
    for (const call of unanswered) report.count(nameOf(call, call.operation), 'none', call)
    if (unanswered.length === 0 || (broken && !late)) return
    const rule = late ? 'no answer within ten seconds' : 'closed without an answer'
    report.violate('connection', rule, index, unanswered[0]!, '')
  }
}
