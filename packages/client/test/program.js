// Uses the installed client on any runtime: reads, writes, uploads from each kind of source, handles errors.
import { Catalogue, NotFound, etag } from '@auction-catalogue/client'

const { url, key, item, lot, file, name } = JSON.parse(process.argv[2])
const catalogue = new Catalogue({ url, key, remember: 100_000 })
const lots = []
for await (const each of catalogue.lots.list({ expand: ['item.images'] })) lots.push(each.item.title)
const found = await catalogue.lots.get(lot, { expand: ['session'] })
const created = await catalogue.items.create({ external_reference: name, title: 'Vaas' })
const changed = await catalogue.items.update(created.id, { estimate: { low: { amount: 40_000, currency: 'EUR' } } })
const decided = await catalogue.staff.lots.update(lot, { held: true })
const [row] = (await catalogue.staff.journal.list({ record: lot, limit: 1 }).page()).data
const missing = await catalogue.items.get('itm_x').catch((error) => error)
const progress = []
const onProgress = ({ sent }) => progress.push(sent)
const path = await catalogue.images.upload(item, { file, external_reference: `${name} path` }, { onProgress })
const bytes = await (await fetch(`data:image/png;base64,${dot()}`)).blob()
const blob = await catalogue.images.upload(item, { file: bytes, external_reference: `${name} blob` })
const open = () => bytes.stream()
const stream = await catalogue.images.upload(item, { file: open, external_reference: `${name} stream` })
const again = [await catalogue.items.get(item), await catalogue.items.get(item)]

function dot() {
  return 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
}

console.log(
  JSON.stringify({
    lots: lots.length,
    kind: found.session.kind,
    low: changed.estimate.low.amount,
    staff: decided.id === lot && row.operation,
    missing: missing instanceof NotFound && missing.code,
    uploads: [path, blob, stream].every((image) => image.processing),
    progress: progress.length > 0,
    same: again[0][etag] === again[1][etag] && again[0].title === again[1].title,
  }),
)
