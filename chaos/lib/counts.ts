/** How often each thing happened, by its name. */
export type Counts = Record<string, number>

export function count(counts: Counts, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by
}

export const list = (counts: Counts) =>
  Object.entries(counts)
    .map(([name, times]) => `${times} × ${name}`)
    .join(', ')
