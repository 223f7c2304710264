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
    const path = pathOf(call)
    const inPath = path.split('/').filter((_, at) => operation.segments[at] === undefined)
    const ids = operation.places.map((place, at) => `${api.prefixAt(place)}${inPath[at]!.slice(-36).toLowerCase()}`)
    if (call.method === 'DELETE') knowledge.forget(house, operation.places.at(-1)!, ids)
    if (!body) return
    knowledge.learn(house, operation, ids, answer.body.toString(), body)
    const etag = answer.headers.get('etag')
    if (etag !== undefined && call.method === 'GET')
      knowledge.addTag({ house, address: taggedAddress(call.target), etag })
    const { next_cursor: cursor } = body
    if (typeof cursor === 'string')
      knowledge.addCursor({ house, path: canonicalAddress(path), filters: filtersOf(call.target), cursor })
  }

  const nameOf = (call: Call, operation: Operation | undefined) =>
    call.broken ? 'broken HTTP' : (operation?.name ?? (pathOf(call).startsWith('/media') ? 'media' : 'no operation'))

  /**
   * Sends calls on one connection without waiting between them. The answers come in the same order. Returns the rules that
   * they violate.
   */
  return async function send(connection: Connection, calls: Call[], index: number, limited = false): Promise<string[]> {
    const { abort, close = false, broken } = calls[0]!
    const bytes = Buffer.concat(calls.map(bytesOf))
    const methods = calls.map(({ method }) => method)
    const ending = { close, ...(abort !== undefined && { abort }) }
    const { answers, late, surplus } = await connection.exchange(bytes, methods, ending)
    const shown: string[] = []
    const violate = (name: string, rule: string, call: Call, answer: string) => {
      shown.push(rule)
      report.violate(name, rule, index, call, answer)
    }
    for (const [at, answer] of answers.entries()) {
      const call = calls[at]!
      const { operation, violations, body } = check(call, answer, limited)
      const name = nameOf(call, operation)
      report.count(name, answer.status, call, answer.milliseconds)
      const text = `${answer.status} ${answer.body.toString('latin1')}`
      // Violations that differ only in ids or in places of a list are of one kind.
      for (const rule of violations)
        violate(name, rule.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>').replaceAll(/\/\d+\//g, '/#/'), call, text)
      if (operation && violations.length === 0) learn(call, answer, operation, body)
    }
    if (surplus > 0) violate('connection', 'an answer without a request', calls[0]!, '')
    const unanswered = calls.slice(answers.length)
    for (const call of unanswered) report.count(nameOf(call, call.operation), 'none', call)
    if (unanswered.length > 0 && (!broken || late))
      violate('connection', late ? 'no answer within ten seconds' : 'closed without an answer', unanswered[0]!, '')
    return shown
  }
}
