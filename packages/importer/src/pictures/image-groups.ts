import type { ItemId } from '@auction-catalogue/client'
import type { Shown } from './gallery.ts'
import { ItemImages } from './item-images.ts'
import { findPicture } from './pictures.ts'
import type { Place, Records, SourceRecord } from '../records.ts'
import { refuse } from '../run/rejections.ts'
import type { Outcome, Run } from '../run/run.ts'
import type { Found } from '../run/targets.ts'

type Image = Records['image']

/** The pictures of an item: how many are still to come, and the one that is being brought in. */
type Group = {
  left: number
  chain: Promise<void>
  images: ItemImages | undefined
  outcomes: Map<SourceRecord, Outcome>
}

/** What the groups ask of the run that has them. */
export type Owner = {
  run: Run
  find(pointer: string): Promise<Found>
  /** A picture that was brought in was not processed, or the gallery not put in order. */
  reject(source: SourceRecord, outcome: Outcome | undefined, error: unknown): void
  /** A picture that was as it should be was moved in its gallery. */
  move(): void
  fail(error: unknown): void
}

/** The pictures of a source, item by item. */
export class ImageGroups {
  readonly #owner: Owner
  readonly #expected = new Map<string, number>()
  readonly #groups = new Map<string, Group>()
  /** The items whose pictures are all there, and are being processed. */
  readonly finishing = new Set<Promise<void>>()
  /** Pictures of which the renditions are being made. */
  processing = 0

  constructor(owner: Owner) {
    this.#owner = owner
  }

  /** Learns that the source has a picture of an item. */
  expect(item: string): void {
    this.#expected.set(item, (this.#expected.get(item) ?? 0) + 1)
  }

  /** In a verification, says which pictures an item has of which the source names none. */
  async checkUnnamed(place: Place, ref: string | undefined, id: string, shown: Shown[] | undefined): Promise<void> {
    const { run } = this.#owner
    if (run.mode !== 'verify' || !shown?.length || this.#expected.has(ref ?? '')) return
    run.tellUnnamed({ place, pictures: await new ItemImages(run, id as ItemId, false, shown).listUnnamed() })
  }

  /**
   * Brings a picture in when those before it are: so they stand in their order without another request. `broken` is what is
   * wrong with it already. Throws what refuses it.
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
    if (item.state === 'linked') throw refuse('item', 'unavailable', `${record.item} is no item`)
    if (item.state === 'planned') {
      await findPicture(run.directory, record.file ?? '')
      run.tell({ place: source.place, record, outcome: 'created', fields: [] })
      return 'created'
    }
    group.images ??= new ItemImages(run, item.id as ItemId, item.isNew, item.shown)
    return group.images.bring(source, record)
  }

  async #finish({ images, outcomes }: Group): Promise<void> {
    if (images === undefined) return
    const { run } = this.#owner
    const brought = [...outcomes.values()].filter((outcome) => outcome !== 'same').length
    this.processing += brought
    try {
      const { failures, thumbnails, moved } = await images.finish()
      const [first] = outcomes.keys()
      const pictures = run.mode === 'verify' ? await images.listUnnamed() : []
      if (first !== undefined && pictures.length > 0) run.tellUnnamed({ place: first.place, pictures })
      for (const { source, error } of failures) {
        this.#owner.reject(source, outcomes.get(source), error)
        outcomes.delete(source)
      }
      for (const [source, outcome] of outcomes) {
        const { place, record } = source
        const fields = moved.get(source) ?? []
        const isMoved = outcome === 'same' && fields.length > 0
        if (isMoved) this.#owner.move()
        // A plan tells of the others when it comes to them.
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
