import { percentile } from '../../test/support/statistics.ts'
import { describeCall, type Call } from './call.ts'

/** A violation, with the request that showed it. */
type Violation = { index: number; line: string }

const shown = 2

/** Counts requests and answers, and collects violations. */
export function createReport(origin: string, seed: number) {
  const counts = new Map<string, Map<string, number>>()
  const kinds: Record<Call['kind'], number> = { valid: 0, almost: 0, hostile: 0 }
  const violations = new Map<string, { count: number; names: Set<string>; examples: Violation[] }>()
  const milliseconds: number[] = []

  return {
    milliseconds,
    /** The number of requests of each kind, and how long the answers took. */
    describe(): string {
      const at = (share: number) => percentile(milliseconds, share).toFixed(0)
      const sent = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`)
      return `${sent.join(', ')}; half of the answers within ${at(0.5)} ms, 99 % within ${at(0.99)}, all within ${at(1)}`
    },
    count(name: string, status: number | string, call: Call): void {
      const row = counts.get(name) ?? new Map<string, number>()
      counts.set(name, row)
      row.set(String(status), (row.get(String(status)) ?? 0) + 1)
      kinds[call.kind]++
    },
    violate(name: string, rule: string, index: number, call: Call, answer: string): void {
      // Violations that differ only in ids are of one kind.
      const special = call.kind === 'valid' ? '' : ` (${call.note})`
      const group = `${rule.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>')}${special}`
      const found = violations.get(group) ?? { count: 0, names: new Set<string>(), examples: [] }
      violations.set(group, found)
      found.names.add(name)
      found.count++
      if (found.examples.length < shown)
        found.examples.push({ index, line: `${describeCall(call, origin)}\n      ${answer.slice(0, 400)}` })
    },
    violateAfterwards(what: string): void {
      violations.set(what, { count: 1, names: new Set(['afterwards']), examples: [] })
    },
    /** The kinds of violations, each with its number and the first examples. */
    listViolations: () =>
      Array.from(violations, ([group, { count, names, examples }]) => {
        const lines = examples.map(({ index, line }) => `    --seed ${seed}, request ${index}: ${line}`)
        return [`${count} × ${group}: ${[...names].join(', ')}`, ...lines].join('\n')
      }),
    /** The table of answers by operation and status. */
    table(): string[] {
      const statuses = [...new Set([...counts.values()].flatMap((row) => [...row.keys()]))].toSorted()
      const width = Math.max(...Array.from(counts.keys(), (name) => name.length))
      const cell = (text: string) => text.padStart(7)
      const row = (name: string, cells: string[]) => `${name.padEnd(width)}${cells.map(cell).join('')}`
      const lines = Array.from(counts, ([name, of]) => {
        const total = [...of.values()].reduce((sum, each) => sum + each, 0)
        return row(name, [...statuses.map((status) => String(of.get(status) ?? '')), String(total)])
      })
      return [row('operation', [...statuses, 'all']), ...lines]
    },
  }
}
