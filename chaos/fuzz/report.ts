import { percentile } from '../../test/support/statistics.ts'
import { bytesOf, describeCall, type Call } from './call.ts'

type Violations = { count: number; names: Set<string>; example?: { bytes: number; line: string } }

/** Counts requests and answers, and collects violations, each kind with its shortest request. */
export function createReport(origin: string, seed: number) {
  const counts = new Map<string, Map<string, number>>()
  const kinds: Record<Call['kind'], number> = { valid: 0, almost: 0, hostile: 0 }
  const rules = new Set<string>()
  const groups = new Map<string, Violations>()
  const milliseconds: number[] = []
  let last = 0

  return {
    /** The rules that were violated until now. */
    known: (): Set<string> => new Set(rules),
    /** The status of the last answer. */
    last: () => last,
    /** The number of requests of each kind, and how long the answers took. */
    describe(): string {
      const at = (share: number) => percentile(milliseconds, share).toFixed(0)
      const sent = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`)
      return `${sent.join(', ')}; half of the answers within ${at(0.5)} ms, 99 % within ${at(0.99)}, all within ${at(1)}`
    },
    count(name: string, status: number | 'none', call: Call, took?: number): void {
      const row = counts.get(name) ?? new Map<string, number>()
      counts.set(name, row.set(String(status), (row.get(String(status)) ?? 0) + 1))
      kinds[call.kind]++
      last = Number(status)
      if (took !== undefined) milliseconds.push(took)
    },
    violate(name: string, rule: string, index: number, call: Call, answer: string): void {
      rules.add(rule)
      const group = call.kind === 'valid' ? rule : `${rule} (${call.note})`
      const found = groups.get(group) ?? { count: 0, names: new Set<string>() }
      groups.set(group, found)
      found.names.add(name)
      found.count++
      const bytes = bytesOf(call).length
      if (bytes >= (found.example?.bytes ?? Infinity)) return
      const line = `--seed ${seed}, request ${index}: ${describeCall(call, origin)}\n      ${answer.slice(0, 400)}`
      found.example = { bytes, line }
    },
    violateAfterwards(what: string): void {
      groups.set(what, { count: 1, names: new Set(['afterwards']) })
    },
    /** The kinds of violations, each with its number and its shortest request. */
    listViolations: () =>
      Array.from(groups, ([rule, { count, names, example }]) =>
        [`${count} × ${rule}: ${[...names].join(', ')}`, example ? [`    ${example.line}`] : []].flat().join('\n'),
      ),
    /** The table of answers by operation and status. */
    table(): string[] {
      const statuses = [...new Set([...counts.values()].flatMap((row) => [...row.keys()]))].toSorted()
      const width = Math.max(...Array.from(counts.keys(), (name) => name.length))
      const row = (name: string, cells: (string | number | undefined)[]) =>
        `${name.padEnd(width)}${cells.map((cell) => String(cell ?? '').padStart(7)).join('')}`
      const sum = (of: Map<string, number>) => [...of.values()].reduce((sum, each) => sum + each, 0)
      const lines = Array.from(counts, ([name, of]) => row(name, [...statuses.map((each) => of.get(each)), sum(of)]))
      return [row('operation', [...statuses, 'all']), ...lines]
    },
  }
}
