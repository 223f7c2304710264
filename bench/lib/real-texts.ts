import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { catalogueRecords } from './data.ts'

const folder = process.env.BENCH_TEXTS ?? path.join(import.meta.dirname, '../../../shared/data')

async function* readRows(file: string): AsyncGenerator<Record<string, unknown>> {
  const lines = createInterface({ input: createReadStream(path.join(folder, 'sales/bulk', file)).pipe(createGunzip()) })
  for await (const line of lines) yield JSON.parse(line) as Record<string, unknown>
}

const texts = (value: unknown) =>
  [value ?? []].flat().map((each) => (typeof each === 'string' ? each : (each as { text: string }).text))
const join = (parts: unknown[], between: string) => parts.flatMap(texts).filter(Boolean).join(between)

/** A lot as a real sale or museum describes it. */
export type RealText = { title: string; description: string; maker: string | undefined }

/** The lots of French autograph sales (Katabase) and the works of the Tate. BENCH_TEXTS names their folder. */
export async function readRealTexts(): Promise<RealText[]> {
  const found: RealText[] = []
  for await (const row of readRows('katabase_lots.ndjson.gz')) {
    const description = join([row['desc'], row['note']], ' ').replaceAll(/\s+/g, ' ')
    found.push({ title: join([row['name'], row['trait']], ', '), description, maker: texts(row['name'])[0] })
  }
  for await (const row of readRows('tate_artworks.ndjson.gz')) {
    const description = join(
      [row['medium'], row['dimensions'], row['inscription'], row['creditLine'], row['subjects']],
      ' ',
    )
    found.push({ title: join([row['title']], ''), description, maker: texts(row['all_artists'])[0] })
  }
  return found
}

/** The catalogue of `catalogueRecords` with real texts and makers. Beyond the real lots, their texts come again. */
export function* realRecords(
  slug: string,
  lots: number,
  real: readonly RealText[],
): Generator<Record<string, unknown>> {
  const makers = [...new Set(real.flatMap(({ maker }) => maker?.trim() || []))]
  let [items, named] = [0, 0]
  for (const record of catalogueRecords(slug, lots)) {
    if (record['type'] === 'maker') yield { ...record, name: makers[(named++ * 7) % makers.length] }
    else if (record['type'] !== 'item') yield record
    else {
      const { title, description } = real[items++ % real.length]!
      const { translations: _, condition: __, ...rest } = record
      yield { ...rest, title: title.slice(0, 900) || 'Sans titre', description: description || undefined }
    }
  }
}
