import { createWriteStream, openSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { describeRecord } from '../run/carrier.ts'
import type { Place } from '../records.ts'
import { printError, type Rejections } from '../rejections.ts'
import type { Done } from '../run/run.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign]!)

const style = `body{font:16px/1.4 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
img{max-width:96px;max-height:96px;display:block}.rejected{color:#a00}`

/** An HTML page of the imported and the rejected records. It is written during the run. */
export class Page {
  readonly #file
  readonly #folder: string

  /** `folder` is the path from the page to the pictures of the source. */
  constructor(path: string, title: string, folder: string) {
    this.#file = createWriteStream(path, { fd: openSync(path, 'w') })
    this.#folder = folder
    // `close` reports a failed write.
    this.#file.on('error', () => {})
    this.#file.write(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title><style>${style}</style>` +
        `<h1>${escape(title)}</h1><h2>Brought in</h2><table><tr><th>Line<th>Record<th>What was done<th>Picture</tr>\n`,
    )
  }

  #row(place: Place, name: string, what: string, picture: string, isRejected = false): void {
    const image = picture === '' ? '' : `<img loading="lazy" alt="" src="${escape(picture)}">`
    const kind = isRejected ? ' class="rejected"' : ''
    this.#file.write(
      `<tr${kind}><td>${escape(place.file)}:${place.line}<td>${escape(name)}<td>${escape(what)}<td>${image}</tr>\n`,
    )
  }

  #localOf(file: string | null | undefined): string {
    return file ? [this.#folder, ...file.split('/').map(encodeURIComponent)].filter(Boolean).join('/') : ''
  }

  add({ place, record, outcome, fields, thumbnail }: Done): void {
    const local = record.type === 'image' ? this.#localOf(record.file) : ''
    const what = fields.length > 0 ? `${outcome}: ${fields.join(', ')}` : outcome
    this.#row(place, describeRecord(record), what, thumbnail ?? local)
  }

  /** Adds the rejections and the lines of the report, and ends the page. */
  async close(rejections: Rejections, report: string[]): Promise<void> {
    this.#file.write(`</table><h2>Not brought in</h2><table><tr><th>Line<th>Record<th>Why<th>Picture</tr>\n`)
    for (const { source, errors } of rejections.list) {
      const { place, record } = source
      const why = errors.map((error) => printError(place, error)).join('; ')
      const local = record?.type === 'image' ? this.#localOf(record.file) : ''
      this.#row(place, record === undefined ? 'line' : describeRecord(record), why, local, true)
    }
    this.#file.end(`</table><h2>Report</h2><pre>${escape(report.join('\n'))}</pre></html>\n`)
    await finished(this.#file)
  }
}
