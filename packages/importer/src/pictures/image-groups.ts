// The pictures of each item come one after the other (this file). A picture is found and checked on disk (`pictures.ts`),
// compared with the journal and the catalogue, and uploaded if it differs (`item-images.ts`). After the last one the run
// waits for their processing, and puts the gallery in the order of the source (`gallery.ts`).
import type { ItemId } from '@auction-catalogue/client'
import type { Shown } from './gallery.ts'
import { ItemImages } from './item-images.ts'
import type { Place, Records, SourceRecord } from '../records.ts'
import { refuse } from '../rejections.ts'
import type { Outcome, Run } from '../run/run.ts'
import type { Found } from '../run/targets.ts'

type Image = Records['image']

/** The pictures of an item: how many are left, and the end of the last one so far. */
type Group = {
  left: number
  chain: Promise<void>
  images: ItemImages | undefined
  outcomes: Map<SourceRecord, Outcome>
}

/** The functions of the run that the groups call. */
export type Owner = {
  run: Run
  find(pointer: string): Promise<Found>
  /** Rejects an imported picture: its processing failed, or its gallery could not be put in order. */
  reject(source: SourceRecord, outcome: Outcome | undefined, error: unknown): void
  /** Counts an unchanged picture as moved in its gallery. */
  move(): void
  fail(error: unknown): void
}

/** The pictures of a source, grouped by item. */
export class ImageGroups {
  readonly #owner: Owner
  readonly #expected = new Map<string, number>()
  readonly #groups = new Map<string, Group>()
  /** The items whose pictures are all imported and still being processed. */
  readonly finishing = new Set<Promise<void>>()
  /** The number of pictures with unfinished renditions. */
  processing = 0

  constructor(owner: Owner) {
    this.#owner = owner
  }

  /** Counts a picture of an item before the run takes it. */
  expect(item: string): void {
    this.#expected.set(item, (this.#expected.get(item) ?? 0) + 1)
  }

  /** In a verification, reports the pictures of an item for which the source names none. */
  async checkUnnamed(place: Place, ref: string | undefined, id: string, shown: Shown[] | undefined): Promise<void> {
    const { run } = this.#owner
    if (run.mode !== 'verify' || !shown?.length || this.#expected.has(ref ?? '')) return
    run.tellUnnamed({ place, pictures: await new ItemImages(run, id as ItemId, false, shown).listUnnamed() })
  }

  /**
   * Imports a picture after those before it, so that they have their order without another request. `broken` is an error
   * that is already known. Throws the error that refuses the picture.
   */
  async take(source: SourceRecord, record: Image, broken: Error | undefined): Promise<Outcome> {
    const { item } = record
    const left = this.#expected.get(item) ?? 1
    const group = this.#groups.get(item) ?? { left, chain: Promise.resolve(), images: undefined, outcomes: new Map() }
    this.#groups.set(item, group)
    const turn = group.chain.then(() => {
      if (broken !== undefined) throw broken
      return this.#bring(group, source, record)
    })
    group.chain = turn.then(
      () => undefined,
      () => undefined,
    )
    try {
      const outcome = await turn
      group.outcomes.set(source, outcome)
      return outcome
    } finally {
      if (--group.left === 0) {
        this.#groups.delete(item)
        const finishing = this.#finish(group).finally(() => this.finishing.delete(finishing))
        this.finishing.add(finishing)
      }
    }
  }

  async #bring(group: Group, source: SourceRecord, record: Image): Promise<Outcome> {
    const { run } = this.#owner
    const item = await this.#owner.find(record.item)
    if (item.state === 'linked') throw refuse('item', 'unavailable', `${record.item} is not an item`)
    // An item that is only planned has no id, and no pictures.
    const { id, isNew, shown } = item.state === 'planned' ? { id: '', isNew: true, shown: undefined } : item
    group.images ??= new ItemImages(run, id as ItemId, isNew, shown)
    return group.images.bring(source, record)
  }

  async #finish({ images, outcomes }: Group): Promise<void> {
    if (images === undefined) return
    const { run } = this.#owner
    const brought = [...outcomes.values()].filter((outcome) => outcome !== 'same').length
    this.processing += brought
    try {
      const { failures, thumbnails, changed } = await images.finish()
      const [first] = outcomes.keys()
      const pictures = run.mode === 'verify' ? await images.listUnnamed() : []
      if (first !== undefined && pictures.length > 0) run.tellUnnamed({ place: first.place, pictures })
      for (const { source, error } of failures) {
        this.#owner.reject(source, outcomes.get(source), error)
        outcomes.delete(source)
      }
      for (const [source, outcome] of outcomes) {
        const { place, record } = source
        const fields = changed.get(source) ?? []
        const isMoved = outcome === 'same' && fields.length > 0
        if (isMoved) this.#owner.move()
        // A plan has reported the other pictures already.
        if (!isMoved && (outcome === 'same' || run.mode !== 'apply')) continue
        const thumbnail = thumbnails.get(place)
        run.tell({
          place,
          record: record!,
          outcome: isMoved ? 'changed' : outcome,
          fields,
          ...(thumbnail && { thumbnail }),
        })
      }
    } catch (error) {
      this.#owner.fail(error)
    } finally {
      this.processing -= brought
    }
  }
}
