import { createError } from './errors.ts'
import { Listing, type Position, type RawPage } from './listing.ts'
import {
  etag,
  warnings,
  type CreateOf,
  type ExpansionOf,
  type FiltersOf,
  type Item,
  type Kind,
  type ListedKind,
  type RecordOf,
  type Tagged,
  type Unsaved,
  type UpdateOf,
  type WrittenExpansionOf,
} from './records.ts'
import { hasRecord, isNothing, isPage } from './shapes.ts'
import { wait, type Answer, type Call, type Content, type Sender } from './transport.ts'
import { createForm, type Progress, type Source } from './upload.ts'
import type * as wire from './generated/wire.ts'

type Id<K extends Kind> = RecordOf[K]['id']

/** The options of every method. */
export type Options = {
  /** Ends the request. If a write may have been done, its CatalogueError has `uncertain`. */
  signal?: AbortSignal | undefined
}
/** The options of a method that answers with a record. */
export type ReadOptions<E> = Options & {
  /** The relationships to answer as records instead of ids. */
  expand?: readonly E[] | undefined
}
/** The options of every write. */
export type WriteOptions = Options & {
  /** The name of the write. For a day another process may repeat the write under this name. Default: a new one. */
  idempotencyKey?: string | undefined
}
/** The options of a write that changes one record. */
export type Guard = {
  /** An `etag` of the record. If the record has another one by now, the write is refused with 412. */
  ifMatch?: string | undefined
}
/** The options of a write that can be rehearsed. */
export type Rehearsal = {
  /** Runs the whole write with all checks, and rolls it back. */
  dryRun?: boolean | undefined
}

/** The path of these segments. None may be empty: an empty id would address the list. */
export function pathOf(...segments: string[]): string {
  for (const segment of segments) if (!segment) throw new TypeError('An id is missing.')
  return `/${segments.map(encodeURIComponent).join('/')}`
}

function jsonOf(body: object): Content {
  const text = JSON.stringify(body)
  return { type: 'application/json', open: () => text }
}

/** The record of an answer, with its ETag. */
function readRecord<T>({ body, headers }: Answer): Tagged<T> {
  const { data, warnings: said = [] } = body as { data: object; warnings?: unknown[] }
  const tags = { [etag]: { value: headers.get('etag') ?? undefined }, [warnings]: { value: said } }
  return Object.defineProperties(data, tags) as Tagged<T>
}

// Without this check, an undefined guard would let every write pass.
function checkGuard(options: Guard): void {
  if ('ifMatch' in options && options.ifMatch === undefined)
    throw new TypeError('ifMatch is undefined: a record of a list or of a repeated write has no etag. Read it first.')
}

/** A resource of an interface. */
export class Group {
  protected readonly transport: Sender
  protected readonly name: string

  constructor(transport: Sender, name: string) {
    this.transport = transport
    this.name = name
  }

  protected async read<T>(
    path: string,
    { expand, ...options }: ReadOptions<string>,
    accepts = hasRecord,
  ): Promise<Tagged<T>> {
    const query = { 'expand[]': expand }
    return readRecord(await this.transport.send({ method: 'GET', path, query, ...options, accepts }))
  }

  protected async write<T>(
    method: Call['method'],
    path: string,
    body: object,
    { expand, ...options }: ReadOptions<string> & WriteOptions & Guard & Rehearsal,
    accepts = hasRecord,
  ): Promise<Tagged<T>> {
    checkGuard(options)
    const query = { 'expand[]': expand }
    return readRecord(await this.transport.send({ method, path, query, content: jsonOf(body), ...options, accepts }))
  }

  protected async remove(path: string, options: WriteOptions & Guard): Promise<void> {
    checkGuard(options)
    await this.transport.send({ method: 'DELETE', path, ...options, accepts: isNothing })
  }

  protected listAt<T>(path: string, { limit, cursor, ...query }: Position & object, options: Options): Listing<T> {
    const read = async (position: Position) => {
      const { expand, ...filters } = query as { expand?: string[] }
      const answer = await this.transport.send({
        method: 'GET',
        path,
        query: { ...filters, 'expand[]': expand, ...position },
        ...options,
        accepts: isPage,
      })
      return answer.body as RawPage<T>
    }
    return new Listing(read, { limit, cursor })
  }
}

/** The records of one kind. */
export class Records<K extends ListedKind> extends Group {
  /** The records that match the filters. */
  list<const E extends ExpansionOf<K> = never>(
    query: FiltersOf[K] & Position & { expand?: readonly E[] | undefined } = {},
    options: Options = {},
  ): Listing<RecordOf<E>[K]> {
    return this.listAt(pathOf(this.name), query, options)
  }

  /** One record. */
  async get<const E extends ExpansionOf<K> = never>(
    id: Id<K>,
    options: ReadOptions<E> = {},
  ): Promise<Tagged<RecordOf<E>[K]>> {
    return this.read(pathOf(this.name, id), options)
  }
}

/** Records that a body can change. */
export class ChangeableRecords<K extends keyof UpdateOf> extends Records<K> {
  /** Changes the fields that are in the body. */
  update<const E extends WrittenExpansionOf<K> = never>(
    id: Id<K>,
    body: UpdateOf[K],
    options: ReadOptions<E> & WriteOptions & Guard & Rehearsal = {},
  ): Promise<Tagged<RecordOf<E>[K]>> {
    return this.write('PATCH', pathOf(this.name, id), body, options)
  }
}

/** Records that can also be created. */
export class CreatableRecords<K extends keyof CreateOf> extends ChangeableRecords<K> {
  /** Creates a record exactly once, despite failures of the network. */
  create<const E extends WrittenExpansionOf<K> = never>(
    body: CreateOf[K],
    options: ReadOptions<E> & Options & { dryRun: true },
  ): Promise<Tagged<Unsaved<RecordOf<E>[K]>>>
  create<const E extends WrittenExpansionOf<K> = never>(
    body: CreateOf[K],
    options?: ReadOptions<E> & WriteOptions & { dryRun?: false | undefined },
  ): Promise<Tagged<RecordOf<E>[K]>>
  create(body: CreateOf[K], options: ReadOptions<string> & WriteOptions & Rehearsal = {}): Promise<unknown> {
    return this.write('POST', pathOf(this.name), body, options)
  }
}

/** The sessions. */
export class Sessions extends CreatableRecords<'session'> {
  /** Switches lots of a session on or off, all of them or none. */
  async updateLots(
    id: wire.SessionId,
    body: wire.SessionLotsUpdate,
    options: WriteOptions & Rehearsal = {},
  ): Promise<wire.SwitchedLots> {
    return this.write('PATCH', pathOf(this.name, id, 'lots'), body, options)
  }
}

/** A picture to upload. */
export type ImageUpload = {
  file: Source
  external_reference: string
  public?: boolean | undefined
  alt?: string | undefined
  alt_translations?: Partial<Record<wire.Locale, string>> | undefined
}

/** The images of items, private and processing ones included. */
export class Images extends Group {
  /** The images of an item, oldest first. */
  list(
    item: wire.ItemId,
    query: wire.ManagedImageFilters & Position = {},
    options: Options = {},
  ): Listing<wire.ManagedImage> {
    return this.listAt(pathOf('items', item, 'images'), query, options)
  }

  /** The images of all items of the house that are not archived, oldest first. */
  listAll(query: wire.HouseImageFilters & Position = {}, options: Options = {}): Listing<wire.ManagedImage> {
    return this.listAt(pathOf(this.name), query, options)
  }

  /** One image of an item. */
  async get(item: wire.ItemId, id: wire.ImageId, options: Options = {}): Promise<Tagged<wire.ManagedImage>> {
    return this.read(pathOf('items', item, 'images', id), options)
  }

  /** Uploads a picture without holding it in memory. The service makes its renditions later: see `settled`. */
  async upload(
    item: wire.ItemId,
    { file, external_reference, public: isPublic = true, alt, alt_translations }: ImageUpload,
    { onProgress, ...options }: WriteOptions & { onProgress?: ((progress: Progress) => void) | undefined } = {},
  ): Promise<Tagged<wire.ManagedImage>> {
    const fields = {
      external_reference,
      public: String(isPublic),
      ...(alt !== undefined && { alt }),
      ...(alt_translations && { alt_translations: JSON.stringify(alt_translations) }),
    }
    const content = createForm(fields, file, onProgress)
    const path = pathOf('items', item, 'images')
    return readRecord(await this.transport.send({ method: 'POST', path, content, ...options, accepts: hasRecord }))
  }

  /** Says in words what an image shows. */
  update(
    item: wire.ItemId,
    id: wire.ImageId,
    body: wire.ImageUpdate,
    options: WriteOptions & Guard & Rehearsal = {},
  ): Promise<Tagged<wire.ManagedImage>> {
    return this.write('PATCH', pathOf('items', item, 'images', id), body, options)
  }

  /**
   * Waits until the processing of an image is over, and returns the image.
   * @throws CatalogueError processing-failed
   */
  async settled(item: wire.ItemId, id: wire.ImageId, options: Options = {}): Promise<Tagged<wire.ManagedImage>> {
    for (let seconds = 0.25; ; seconds = Math.min(5, seconds * 1.5)) {
      const image = await this.get(item, id, options)
      if (!image.processing && image.processing_failure === null) return image
      if (!image.processing) {
        const title = `The image ${id} could not be processed`
        throw createError({ status: 200, code: 'processing-failed', title })
      }
      await wait(seconds, options.signal)
    }
  }

  /** Replaces the public gallery of an item, or its featured image. Returns the item. */
  replaceGallery(
    item: wire.ItemId,
    body: wire.GalleryReplacement,
    options: WriteOptions & Guard & Rehearsal = {},
  ): Promise<Tagged<Item<'images'>>> {
    return this.write('PATCH', pathOf('items', item, 'gallery'), body, options)
  }

  /** Makes the renditions of an image again. */
  reprocess(item: wire.ItemId, id: wire.ImageId, options: WriteOptions = {}): Promise<Tagged<wire.ManagedImage>> {
    return this.write('POST', pathOf('items', item, 'images', id, 'reprocess'), {}, options)
  }

  /** Deletes an image. */
  delete(item: wire.ItemId, id: wire.ImageId, options: WriteOptions & Guard = {}): Promise<void> {
    return this.remove(pathOf('items', item, 'images', id), options)
  }
}
