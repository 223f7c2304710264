import { readConnection, changeConnection } from './connection.ts'
import type { Auction, Item, Lot, ManagedImage, Session } from './records.ts'
import { CatalogueError, readProblem, request, type Call } from './request.ts'

export type Page<Record> = { data: Record[]; has_more: boolean; next_cursor: string | null }
type Place = { cursor?: string | undefined; limit?: number; signal?: AbortSignal | undefined }
type Stored<Record> = { record: Record; etag: string | null }

async function readPage<Record>(path: string, query: Call['query'], place: Place): Promise<Page<Record>> {
  const { signal, ...rest } = place
  return (await request(path, { query: { limit: 100, ...query, ...rest }, signal })).body as Page<Record>
}

async function read<Record>(path: string, call?: Call): Promise<Stored<Record>> {
  const { body, etag } = await request(path, call)
  return { record: (body as { data: Record }).data, etag }
}

/** Every record of a collection. */
async function walk<Record>(path: string, query: Call['query'], signal?: AbortSignal): Promise<Record[]> {
  const records: Record[] = []
  for (let cursor: string | undefined; ;) {
    const page: Page<Record> = await readPage(path, query, { cursor, signal })
    records.push(...page.data)
    if (page.next_cursor === null) return records
    cursor = page.next_cursor
  }
}

export const listAuctions = (place: Place) => readPage<Auction>('/auctions', { limit: 25, expand: ['sessions'] }, place)
export const readSession = async (id: string) => (await read<Session>(`/sessions/${id}`)).record
export const readLot = async (id: string) => (await read<Lot>(`/lots/${id}`)).record
export const readItem = (id: string) => read<Item>(`/items/${id}`, { query: { expand: ['images'] } })
export const readNamed = async (path: string) => (await read<{ name: string | null; number?: string }>(path)).record
export const listImages = (item: string, signal?: AbortSignal) =>
  walk<ManagedImage>(`/items/${item}/images`, undefined, signal)

/** A page of the lots of a session, in the order of their numbers, with their items. */
export const listLots = (session: string, place: Place) =>
  readPage<Lot>('/lots', { session, expand: ['item.images'] }, place)

/** Switches a lot on or off. With `dryRun` the service only says whether it would. */
export const switchLot = async (id: string, active: boolean, dryRun = false) =>
  (await read<Lot>(`/lots/${id}`, { method: 'PATCH', query: dryRun ? { dry_run: true } : {}, body: { active } })).record

/** Changes an item, if it still is what `etag` stands for. */
export const updateItem = (id: string, body: object, etag: string | null) =>
  read<Item>(`/items/${id}`, {
    method: 'PATCH',
    query: { expand: ['images'] },
    body,
    headers: { 'if-match': etag ?? undefined, 'idempotency-key': crypto.randomUUID() },
  })

export const updateGallery = (
  item: string,
  body: { images?: string[]; featured?: string | null },
  etag: string | null,
) => read<Item>(`/items/${item}/gallery`, { method: 'PATCH', body, headers: { 'if-match': etag ?? undefined } })

export const reprocessImage = async (item: string, image: string) =>
  (await read<ManagedImage>(`/items/${item}/images/${image}/reprocess`, { method: 'POST', body: {} })).record

export const deleteImage = async (item: string, image: string) => {
  await request(`/items/${item}/images/${image}`, { method: 'DELETE' })
}

/** Uploads a picture. `onProgress` is told the part that was sent, from 0 to 1. */
export function uploadImage(
  item: string,
  upload: { file: File; reference: string; public: boolean },
  { onProgress, signal }: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<ManagedImage> {
  const form = new FormData()
  form.set('external_reference', upload.reference)
  form.set('public', String(upload.public))
  form.set('file', upload.file)
  const sender = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    sender.open('POST', `/api/v2/items/${item}/images`)
    sender.setRequestHeader('authorization', `Bearer ${readConnection().key}`)
    sender.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    sender.addEventListener('load', () => {
      if (sender.status === 201) resolve((JSON.parse(sender.responseText) as { data: ManagedImage }).data)
      else reject(readProblem(sender.status, (name) => sender.getResponseHeader(name), sender.responseText))
    })
    sender.addEventListener('error', () => {
      changeConnection({ trouble: navigator.onLine ? 'away' : 'offline' })
      reject(new CatalogueError({ code: 'unreachable', uncertain: true }))
    })
    signal.addEventListener('abort', () => sender.abort())
    sender.send(form)
  })
}

/** Whether the key may change lots, items and pictures. The interface tells it only by refusing. */
export async function mayWrite(): Promise<boolean> {
  const nobody = 'itm_00000000-0000-0000-0000-000000000000'
  const [answer] = await Promise.allSettled([
    request(`/items/${nobody}`, { method: 'PATCH', query: { dry_run: true }, body: {} }),
  ])
  if (answer.status === 'fulfilled') return true
  const error: unknown = answer.reason
  if (error instanceof CatalogueError && (error.status === 0 || error.status >= 429)) throw error
  return error instanceof CatalogueError && error.status !== 403 && error.status !== 401
}

export type Change = { type: string; id: string | null; deleted: boolean; record?: unknown; integrity?: boolean }

/** Where the changes of the house end at this moment. */
export const readEnd = async (signal: AbortSignal) =>
  ((await request('/changes/fingerprint', { signal })).body as { cursor: string }).cursor

/** The changes after a cursor. Without any, the answer comes when there is one, or after `wait` seconds. */
export const readChanges = async (
  { wait, ...query }: { after: string | undefined; types?: string[]; wait?: number },
  signal: AbortSignal,
) =>
  (
    await request('/changes', {
      query: { ...query, limit: 100, expand: ['record'] },
      headers: { prefer: wait === undefined ? undefined : `wait=${wait}` },
      signal,
    })
  ).body as { data: Change[]; has_more: boolean; next_cursor: string }
