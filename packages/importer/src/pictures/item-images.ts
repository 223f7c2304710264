import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CatalogueError,
  etag,
  type GalleryReplacement,
  type ImageId,
  type ItemId,
  type ManagedImage,
} from '@auction-catalogue/client'
import { changeGuarded, describeRecord, refuseDifferences } from '../run/carrier.ts'
import { changeAlts, readAlts, uploadAlts, type Alts } from './alts.ts'
import { findMoved, galleryOf, orderGallery, type PlacedImage, type Shown } from './gallery.ts'
import type { Entry } from '../run/journal.ts'
import { findPicture, hashFile, hashUrl, type Picture } from './pictures.ts'
import type { Place, Records, SourceRecord } from '../records.ts'
import { refuse } from '../rejections.ts'
import type { Outcome, Run } from '../run/run.ts'

type Image = Records['image']

/** How the journal recognises a picture of the source: its file, the hash of its bytes, and that of its texts. */
type Mark = { picture: Picture; hash: string; alts: string | undefined }

/** A picture of the source that is in the catalogue. */
type Placed = PlacedImage & Mark & { reference: string }

// The outcome for an item's pictures: failures, thumbnails, and the changed fields of pictures that were there before.
type Finished = {
  failures: { source: SourceRecord; error: unknown }[]
  thumbnails: Map<Place, string>
  changed: Map<SourceRecord, string[]>
}

const isSettled = ({ processing }: ManagedImage) => !processing

// The reference of a picture: its own, or the name of its file.
const referenceOf = (record: Image): string | undefined => record.external_reference || record.file || undefined

// Without texts in the source, the hash is undefined, as in the journal of an earlier version.
const hashAlts = (alts: Alts) =>
  Object.keys(alts).length === 0 ? undefined : hash('sha256', JSON.stringify(alts), 'base64url').slice(0, 22)

const nameOf = ({ external_reference, id }: ManagedImage) => external_reference ?? id

/** The pictures of one item. They are imported one after the other, then put in their order. */
export class ItemImages {
  readonly #run: Run
  readonly #item: ItemId
  readonly #shown: Shown[] | undefined
  /** The journal's entries for the item's pictures when this run reached the item. */
  readonly #known: ReadonlyMap<string, Entry>
  readonly #placed: Placed[] = []
  readonly #seen = new Map<string, string>()
  // The references in the source, also of files that cannot be used.
  readonly #named = new Set<string>()
  readonly #failures: { source: SourceRecord; error: unknown }[] = []
  // The changed texts of pictures that were there before.
  readonly #retold = new Map<SourceRecord, string[]>()
  #managed: Promise<ManagedImage[]> | undefined
  #isTouched = false

  /** `shown` is the item's gallery as just read. A new item has an empty one. */
  constructor(run: Run, item: ItemId, isNew: boolean, shown: Shown[] | undefined) {
    this.#run = run
    this.#item = item
    this.#shown = isNew ? [] : shown
    this.#known = run.journal.picturesOf(item)
    if (isNew) this.#managed = Promise.resolve([])
  }

  /** The names of the item's pictures that the source does not have. */
  async listUnnamed(): Promise<string[]> {
    const ours = new Set<string>(this.#placed.map(({ id }) => id))
    const managed = await (this.#managed ??= this.#readManaged())
    return managed.filter((image) => !ours.has(image.id) && !this.#named.has(nameOf(image))).map(nameOf)
  }

  async #readManaged(): Promise<ManagedImage[]> {
    const { catalogue, slots } = this.#run
    return slots.use(async () => {
      const images: ManagedImage[] = []
      for await (const image of catalogue.images.list(this.#item)) images.push(image)
      return images
    })
  }

  async #hashOf(reference: string, picture: Picture): Promise<string> {
    const entry = this.#known.get(reference)
    const isSame = entry?.size === picture.size && entry.mtime === picture.mtime
    return isSame && this.#run.mode !== 'verify' ? entry.hash : hashFile(picture.path)
  }

  /**
   * Imports one picture.
   * @throws Refused or CatalogueError
   */
  async bring(source: SourceRecord, record: Image): Promise<Outcome> {
    const reference = referenceOf(record)
    if (reference === undefined || !record.file) throw refuse('file', 'required', 'there is no picture without a file')
    this.#named.add(reference)
    if (this.#seen.has(reference))
      throw refuse('external_reference', 'duplicate', 'the item has two pictures of this name')
    const picture = await findPicture(this.#run.directory, record.file)
    const hash = await this.#hashOf(reference, picture)
    const twin = [...this.#seen].find(([, other]) => other === hash)?.[0]
    if (twin !== undefined) throw refuse('file', 'duplicate', `is the same picture as ${twin}, byte for byte`)
    this.#seen.set(reference, hash)

    const texts = await readAlts(record, picture)
    const mark: Mark = { picture, hash, alts: hashAlts(texts) }
    const entry = this.#known.get(reference)
    const isPublic = record.public === true
    const place = (id: string, isNew: boolean) =>
      this.#placed.push({ source, record, reference, id: id as ImageId, isNew, ...mark })
    if (entry?.state === 'settled' && entry.hash === hash && this.#run.mode !== 'verify') {
      // The journal has the hash of the bytes, and the gallery has the picture, so no request is needed.
      const stored = isPublic ? this.#shown?.find(({ id }) => id === entry.id) : undefined
      const isSame = this.#run.isResumed ? entry.alts === mark.alts : stored && !changeAlts(texts, stored)
      if (isSame) {
        place(entry.id, false)
        return 'same'
      }
    }
    const managed = await (this.#managed ??= this.#readManaged())
    const present = managed.find(({ external_reference }) => external_reference === reference)
    if (this.#run.mode === 'verify') return this.#verify(record, present, hash, texts, place)
    if (present !== undefined) {
      const isKnown = entry?.id === present.id
      const isSame = (isKnown ? entry.hash : await this.#hashStored(present)) === hash
      if (isSame) {
        place(present.id, !isSettled(present))
        if (present.processing_failure !== null && isSettled(present))
          throw refuse('file', present.processing_failure.code, 'the service could not process this picture')
        const fields = changeAlts(texts, present) ? await this.#retell(present.id, texts) : []
        if (fields.length > 0) this.#retold.set(source, fields)
        await this.#note(source, reference, present.id, mark, isSettled(present) ? 'settled' : 'uploaded')
        if (fields.length === 0) return 'same'
        if (this.#run.mode === 'plan') this.#run.tell({ place: source.place, record, outcome: 'changed', fields })
        return 'changed'
      }
    }
    if (this.#run.mode === 'plan') {
      this.#run.tell({
        place: source.place,
        record,
        outcome: present ? 'changed' : 'created',
        fields: present ? ['file'] : [],
      })
      return present ? 'changed' : 'created'
    }
    if (present !== undefined) await this.#remove(present.id)
    const id = await this.#upload(reference, picture, isPublic, texts)
    if (id === undefined) {
      this.#seen.delete(reference)
      return this.bring(source, record)
    }
    place(id, true)
    this.#isTouched = true
    await this.#note(source, reference, id, mark, 'uploaded')
    return present === undefined ? 'created' : 'changed'
  }

  /** Changes the texts of a stored picture to those of the source. Returns the changed fields. */
  #retell(id: ImageId, texts: Alts): Promise<string[]> {
    const { images } = this.#run.catalogue
    return changeGuarded(this.#run, {
      get: () => images.get(this.#item, id),
      change: (image) => changeAlts(texts, image),
      update: (body, options) => images.update(this.#item, id, body, options),
    })
  }

  /** The id of the new picture. Undefined if another client, or a killed run, has uploaded one of this name meanwhile. */
  async #upload(
    external_reference: string,
    { path: file }: Picture,
    isPublic: boolean,
    texts: Alts,
  ): Promise<ImageId | undefined> {
    const { catalogue, slots } = this.#run
    const upload = { file, external_reference, public: isPublic, ...uploadAlts(texts) }
    try {
      return (await slots.use(() => catalogue.images.upload(this.#item, upload))).id
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.code !== 'duplicate-reference') throw error
      const managed = await this.#readManaged()
      if (!managed.some((image) => image.external_reference === external_reference)) throw error
      this.#managed = Promise.resolve(managed)
      return undefined
    }
  }

  async #remove(id: ImageId): Promise<void> {
    const { catalogue, slots } = this.#run
    try {
      const image = await slots.use(() => catalogue.images.get(this.#item, id))
      await slots.use(() => catalogue.images.delete(this.#item, id, { ifMatch: image[etag] }))
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.status !== 404) throw error
    }
    this.#isTouched = true
  }

  async #hashStored({ original_url }: ManagedImage): Promise<string | undefined> {
    return original_url === null ? undefined : this.#run.slots.use(() => hashUrl(original_url, this.#run.signal))
  }

  async #verify(
    record: Image,
    present: ManagedImage | undefined,
    hash: string,
    texts: Alts,
    place: (id: string, isNew: boolean) => void,
  ): Promise<Outcome> {
    if (present === undefined) throw refuse('', 'missing', `${describeRecord(record)} is not in the catalogue`)
    place(present.id, false)
    if (present.processing) throw refuse('', 'processing', 'is still being processed')
    if (present.processing_failure !== null)
      throw refuse('file', present.processing_failure.code, 'the service could not process this picture')
    if ((record.public === true) !== present.public) throw refuse('public', 'differs', 'differs from the catalogue')
    if ((await this.#hashStored(present)) !== hash) throw refuse('file', 'differs', 'has other bytes in the catalogue')
    const change = changeAlts(texts, present)
    if (change !== undefined) throw refuseDifferences(change)
    return 'same'
  }

  #note(source: SourceRecord, reference: string, id: string, mark: Mark, state: 'uploaded' | 'settled') {
    const { picture, hash, alts } = mark
    const { size, mtime } = picture
    const { line } = source.place
    const entry = { line, kind: 'image', reference, id, hash, state, item: this.#item, size, mtime }
    return this.#run.journal.add({ ...entry, ...(alts !== undefined && { alts }) })
  }

  /** Removes the earlier upload of a renamed picture, which was uploaded again. Only the journal knows it. */
  async #removeRenamed(): Promise<void> {
    for (const { reference, id, hash, state } of this.#known.values()) {
      const isRenamed =
        !this.#seen.has(reference) && this.#placed.some((placed) => placed.hash === hash && placed.id !== id)
      if (!isRenamed || state === 'removed') continue
      await this.#remove(id as ImageId)
      await this.#run.journal.add({ line: 0, kind: 'image', reference, id, hash, state: 'removed', item: this.#item })
    }
  }

  async #planOrder(): Promise<Map<SourceRecord, string[]>> {
    const managed = await this.#managed
    const current = this.#shown ?? (managed && galleryOf(managed)) ?? []
    const change = orderGallery(this.#placed, current)
    return change === undefined ? new Map() : findMoved(this.#placed, current, change)
  }

  /**
   * After the last picture: waits until all are processed, and puts the gallery in order. Returns the failed pictures, the
   * thumbnails of the others, and the pictures that moved.
   */
  async finish(): Promise<Finished> {
    const nothing: Finished = { failures: this.#failures, thumbnails: new Map(), changed: this.#retold }
    if (this.#run.mode === 'plan') return { ...nothing, changed: await this.#planOrder() }
    if (this.#run.mode === 'apply') await this.#removeRenamed()
    const waiting = this.#placed.filter(({ isNew }) => isNew)
    if (!this.#isTouched && waiting.length === 0) {
      if (this.#run.isResumed && this.#shown === undefined) return nothing
      if (this.#shown !== undefined && orderGallery(this.#placed, this.#shown) === undefined) return nothing
    }
    let managed = await this.#readManaged()
    for (let seconds = 0.3; waiting.some(({ id }) => managed.some((image) => image.id === id && image.processing));) {
      await sleep(seconds * 1000, undefined, { signal: this.#run.signal })
      seconds = Math.min(15, seconds * 1.5)
      managed = await this.#readManaged()
    }
    for (const { source, id, reference, ...mark } of waiting) {
      const image = managed.find((each) => each.id === id)
      const failure = image?.processing_failure
      if (image !== undefined && failure === null) await this.#note(source, reference, id, mark, 'settled')
      else
        this.#failures.push({
          source,
          error: refuse('file', failure?.code ?? 'missing', 'the service could not process this picture'),
        })
    }
    const inOrder = galleryOf(managed)
    const change = orderGallery(this.#placed, inOrder)
    if (change !== undefined && this.#run.mode === 'verify') {
      this.#failures.push({
        source: this.#placed[0]!.source,
        error: refuse('position', 'differs', 'the pictures of the item have another order in the catalogue'),
      })
      return nothing
    }
    const fields = new Map(this.#retold)
    if (change !== undefined) {
      const { images, items } = this.#run.catalogue
      const changed = await changeGuarded(this.#run, {
        get: () => items.get(this.#item, { expand: ['images'] }),
        change: (item) => orderGallery(this.#placed, item.images),
        update: (body: GalleryReplacement, options) => images.replaceGallery(this.#item, body, options),
      })
      const moved = changed.length > 0 ? findMoved(this.#placed, inOrder, change) : []
      for (const [source, names] of moved) fields.set(source, [...(fields.get(source) ?? []), ...names])
    }
    const thumbnails = new Map<Place, string>()
    for (const { id, source } of waiting) {
      const url = managed.find((image) => image.id === id)?.thumbnail_url
      if (url) thumbnails.set(source.place, url)
    }
    return { failures: this.#failures, thumbnails, changed: fields }
  }
}
