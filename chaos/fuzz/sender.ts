import { bytesOf, describeCall, pathOf, type Call } from './call.ts'
import type { createChecks } from './checks.ts'
import type { Connection } from './connection.ts'
import type { Operation } from './document.ts'
import type { Knowledge } from './knowledge.ts'

type Violations = { count: number; names: Set<string>; bytes: number; example: string }

const nameOf = (call: Call, operation: Operation | undefined) =>
  call.broken ? 'broken HTTP' : (operation?.name ?? (pathOf(call).startsWith('/media') ? 'media' : 'no operation'))

// Violations that differ only in ids or in places of a list are of one kind.
const kindOf = (rule: string) => rule.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>').replaceAll(/\/\d+\//g, '/#/')

/** Sends calls, has their answers checked, and keeps the shortest request of each kind of violation. */
export function createSender(origin: string, knowledge: Knowledge, check: ReturnType<typeof createChecks>) {
  const counts = new Map<string, Map<string, number>>()
  const found = new Map<string, Violations>()
  const rules = new Set<string>()

  function count(name: string, status: number | 'none'): void {
    const row = counts.get(name) ?? new Map<string, number>()
    counts.set(name, row.set(String(status), (row.get(String(status)) ?? 0) + 1))
  }

  function violate(name: string, rule: string, index: number, call: Call, answer = ''): void {
    rules.add(rule)
    const kind = call.kind === 'valid' ? rule : `${rule} (${call.note})`
    const known = found.get(kind) ?? { count: 0, names: new Set(), bytes: Infinity, example: '' }
    found.set(kind, known)
    known.names.add(name)
    known.count++
    const bytes = bytesOf(call).length
    if (bytes >= known.bytes) return
    const example = `\n    request ${index}: ${describeCall(call, origin)}\n      ${answer.slice(0, 400)}`
    Object.assign(known, { bytes, example })
  }

  return {
    violate,
    /** Notes what is wrong after the requests. */
    violateAfterwards: (what: string) =>
      found.set(what, { count: 1, names: new Set(['afterwards']), bytes: 0, example: '' }),
    /** The rules that were violated until now. */
    knownRules: () => new Set(rules),
    /** The kinds of violations, each with its number and its shortest request. */
    listViolations: () =>
      Array.from(
        found,
        ([kind, { count, names, example }]) => `${count} × ${kind}: ${[...names].join(', ')}${example}`,
      ),
    /** The number of answers of each operation by their status. */
    listCounts: () => Array.from(counts, ([name, row]) => `${name} ${JSON.stringify(Object.fromEntries(row))}`),
    /**
     * Sends calls on one connection without waiting between them. The answers come in the same order. Returns the rules
     * that they violate, and the status of the last answer. Right answers are learned from.
     */
    async send(connection: Connection, calls: Call[], index: number, limited = false) {
      const [first] = calls as [Call]
      const methods = calls.map(({ method }) => method)
      const { answers, late, surplus } = await connection.exchange(Buffer.concat(calls.map(bytesOf)), methods, first)
      const shown: string[] = []
      const show = (name: string, rule: string, call: Call, answer?: string) => {
        shown.push(rule)
        violate(name, rule, index, call, answer)
      }
      for (const [at, answer] of answers.entries()) {
        const call = calls[at]!
        const { operation, violations, body } = check(call, answer, limited)
        const name = nameOf(call, operation)
        count(name, answer.status)
        for (const rule of violations)
          show(name, kindOf(rule), call, `${answer.status} ${answer.body.toString('latin1')}`)
        if (operation && violations.length === 0) knowledge.learn(call, answer, operation, body)
      }
      if (surplus > 0) show('connection', 'an answer without a request', first)
      const unanswered = calls.slice(answers.length)
      for (const call of unanswered) count(nameOf(call, call.operation), 'none')
      if (unanswered.length > 0 && (!first.broken || late))
        show('connection', late ? 'no answer within ten seconds' : 'closed without an answer', unanswered[0]!)
      return { shown, status: answers.at(-1)?.status ?? 0 }
    },
  }
}
