import { cpus } from 'node:os'
import { percentile } from '../../test/support/statistics.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

/** Requests per second of two compared servers. */
export type Rate = { service: number; floor: number }

/** Measures the service and the floor in turn, so that other work of the machine affects both. */
export async function alternate(service: () => Promise<number>, floor: () => Promise<number>): Promise<Rate[]> {
  const rates: Rate[] = []
  for (let round = 0; round < rounds; round++) rates.push({ service: await service(), floor: await floor() })
  return rates
}

/** The median, and in parentheses the range. */
export function spread(values: number[], digits: number): string {
  const print = (value: number) => value.toFixed(digits)
  return `${print(percentile(values, 0.5))} (${print(Math.min(...values))}–${print(Math.max(...values))})`
}

/** The rise of a straight line through equally spaced values from the first to the last (least squares). */
export function growthOf(values: number[]): number {
  const middle = (values.length - 1) / 2
  const slope = values.reduce((sum, value, at) => sum + (at - middle) * value, 0)
  const spreadOfPlaces = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
  return (slope / spreadOfPlaces) * (values.length - 1)
}

type Row = { work: string; size?: number; rates: Rate[] }

/** Prints a table of medians, with the range of the rounds in parentheses. `names` are the compared servers. */
export function printReport(title: string, rows: Row[], names = ['service', 'floor']): void {
  console.log(`\n## ${title}\n\n${rounds} rounds, ${cpus().length} processors, Node ${process.versions.node}\n`)
  console.log(`| work | KB | ${names.join(', 1/s | ')}, 1/s | ratio |\n| --- | ---: | ---: | ---: | ---: |`)
  for (const { work, size, rates } of rows) {
    const cells = [
      work,
      size === undefined ? '' : (size / 1000).toFixed(1),
      spread(
        rates.map(({ service }) => service),
        0,
      ),
      spread(
        rates.map(({ floor }) => floor),
        0,
      ),
      spread(
        rates.map(({ service, floor }) => service / floor),
        2,
      ),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
