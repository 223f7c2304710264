import { CatalogueError, type Catalogue } from '@auction-catalogue/client'
import { languageOf } from './bodies.ts'
import type { Carried } from './carrier.ts'
import { checkRecord } from './checks.ts'
import type { FindItem } from '../source/folder.ts'
import { ImageGroups } from '../pictures/image-groups.ts'
import type { Shown } from '../pictures/gallery.ts'
import type { Journal } from './journal.ts'
import { Links, type Missing } from './links.ts'
import { Unusable } from '../misfit.ts'
import { ReferencedRecords, type StoredRecord } from './referenced-records.ts'
import { isLinkedRecord, nameRecord, type LoadRecord, type Place, type Records, type SourceRecord } from '../records.ts'
import { errorsOf, Refused, refuse, Rejections } from './rejections.ts'
import type { Counts, Done, Mode, Outcome, Run, Unnamed } from './run.ts'
import { SessionLots, type MissingLot } from './session-lots.ts'
import type { Slots } from './slots.ts'
import type { Source } from './source.ts'
import { Targets, type Target } from './targets.ts'

/** What a run is given. */
export type Settings = {
  mode: Mode
  isResumed: boolean
  maxErrors: number
  source: Source
  catalogue: Catalogue
  journal: Journal
  slots: Slots
  /** Ends requests, and waits. */
  signal: AbortSignal
  tell(done: Done): void
}

/** What a run came to. */
export type Result = {
  counts: Record<string, Counts>
  rejections: Rejections
  missing: Missing[]
  lots: MissingLot[]
  /** What a verification found beside the pictures of the source. */
  unnamed: Unnamed[]
  /** Whether it ended before the source did, because too much was rejected. */
  isCutShort: boolean
  /** What ended it before the source did: an error, or an interruption. */
  fatal: unknown
}

// The types are whatever the source says, `__proto__` too.
const createCounter = <T>() => Object.create(null) as Record<string, T>

// With these answers no other record would fare better.
const endings = new Set(['network-failure', 'unauthorized', 'missing-permission', 'aborted'])
const tasksAtOnce = 64
const itemsInProcessing = 2_000

/** Brings a source into a catalogue, or says what that would do, or compares the two. */
export class Importer {
  /** How many records of each type the source has. */
  readonly totals = createCounter<number>()
  readonly counts = createCounter<Counts>()
  readonly #settings: Settings
  readonly #run: Run
  readonly #links: Links
  readonly #lots: SessionLots
  readonly #records: ReferencedRecords
  readonly #rejections = new Rejections()
  readonly #unnamed: Unnamed[] = []
  readonly #targets = new Targets()
  readonly #images: ImageGroups
  #house: Records['house'] | undefined
  #fatal: unknown

  constructor(settings: Settings) {
    const { catalogue, mode, isResumed, journal, slots, signal, source } = settings
    this.#settings = settings
    this.#run = {
      mode,
      isResumed,
      catalogue,
      journal,
      slots,
      signal,
      directory: source.directory,
      locale: undefined,
      tell: (done) => settings.tell(done),
      tellUnnamed: (unnamed) => this.#unnamed.push(unnamed),
    }
    this.#images = new ImageGroups({
      run: this.#run,
      find: (pointer) => this.#targets.find('item', pointer),
      reject: (source, outcome, error) => {
        if (outcome !== undefined) this.#count('image', outcome, -1)
        this.#reject(source, 'image', error)
      },
      move: () => {
        this.#count('image', 'same', -1)
        this.#count('image', 'changed')
      },
      fail: (error) => (this.#fatal ??= error),
    })
    this.#links = new Links(catalogue)
    this.#lots = new SessionLots(this.#run)
    this.#records = new ReferencedRecords(this.#run, this.#links, this.#targets, () => this.#hasPictures)
  }

  /** Ends the run after what is under way. */
  stop(): void {
    this.#fatal ??= new Unusable(`interrupted${this.#settings.mode === 'apply' ? ': go on with apply --resume' : ''}`)
  }

  // Galleries are read along, and remembered, where the source has pictures.
  get #hasPictures(): boolean {
    return this.#settings.source.isFolder || Boolean(this.totals.image)
  }

  /** How many pictures were brought in and are still being processed. */
  get processing(): number {
    return this.#images.processing
  }

  #count(type: string, outcome: Outcome, change = 1): void {
    const counts = (this.counts[type] ??= {})
    counts[outcome] = (counts[outcome] ?? 0) + change
  }

  /**
   * Does it. A record that fails does not stop the others. What was done when something ends the run is in the journal and in
   * the result.
   * @throws Unusable when the source cannot be read, before anything is done
   */
  async run(): Promise<Result> {
    const { source, maxErrors } = this.#settings
    const findItem = (reference: string) => this.#records.findItem(reference)
    let [isSurveyed, isCutShort] = [false, false]
    const tasks = new Set<Promise<void>>()
    const { finishing } = this.#images
    try {
      // The names of a folder's pictures are compared with all references.
      if (source.isFolder) this.#records.prepare({ item: Infinity })
      await this.#survey(source, findItem)
      isSurveyed = true
      for await (const each of source.records(findItem)) {
        while (tasks.size >= tasksAtOnce || finishing.size >= itemsInProcessing)
          await Promise.race([...tasks, ...finishing])
        if (this.#fatal !== undefined) break
        if (this.#rejections.count > maxErrors) {
          isCutShort = true
          break
        }
        const task: Promise<void> = this.#take(each).finally(() => tasks.delete(task))
        tasks.add(task)
      }
    } catch (error) {
      if (!isSurveyed && error instanceof Unusable) throw error
      this.#fatal ??= error
    }
    await Promise.all(tasks)
    await Promise.all(finishing)
    await this.#records.close()
    await this.#lots.close()
    return {
      counts: this.counts,
      rejections: this.#rejections,
      missing: this.#links.missing,
      lots: this.#lots.missing,
      unnamed: this.#unnamed,
      isCutShort,
      fatal: this.#fatal,
    }
  }

  /** Writes what was rejected beside the source. Gives the file; undefined if nothing was. */
  writeRejections(): Promise<string | undefined> {
    const { directory, name } = this.#settings.source
    return this.#rejections.write(directory, name, this.#house, (ref) => this.#targets.describe(ref))
  }

  async #survey(source: Source, findItem: FindItem): Promise<void> {
    const { isResumed, journal } = this.#settings
    const asked = createCounter<number>()
    for await (const { record } of source.records(findItem)) {
      if (this.#fatal !== undefined) return
      const type = record === undefined ? 'unreadable' : record.type
      this.totals[type] = (this.totals[type] ?? 0) + 1
      if (record === undefined) continue
      this.#targets.expect(record)
      if (record.type === 'image') this.#images.expect(record.item)
      const isKnown = isResumed && journal.find(record.type, nameRecord(record)) !== undefined
      if (!isKnown) asked[type] = (asked[type] ?? 0) + 1
    }
    if (Object.keys(this.totals).length === 0) throw new Unusable(`${source.name} has no records`)
    this.#records.prepare(asked)
  }

  /** Deals with one record of the source. Only what ends the run is kept as an error. */
  async #take(source: SourceRecord): Promise<void> {
    const { record } = source
    if (record === undefined) {
      this.#reject(source, 'unreadable', new Refused(source.errors))
      return
    }
    const target = this.#bring(source, record).then(
      (brought) => {
        // Rejected records are written with what they point to, and pictures may be rejected later.
        if (record.type !== 'image') this.#targets.release(record)
        return brought
      },
      (error: unknown): Target => {
        this.#reject(source, record.type, error)
        // An item that differs is there all the same, with its pictures and its lot.
        const id = error instanceof Refused ? error.id : undefined
        return id === undefined ? { state: 'none' } : { state: 'there', id, isNew: false, shown: undefined }
      },
    )
    await this.#targets.set(record, target)
  }

  #reject(source: SourceRecord, type: string, error: unknown): void {
    // What ends the run says nothing of the record.
    if (error instanceof CatalogueError && endings.has(error.code))
      this.#fatal ??= new Unusable(error.detail || error.title)
    else if (error instanceof Refused || error instanceof CatalogueError) {
      this.#rejections.add(source, errorsOf(error), error instanceof Refused && error.isDependent)
      this.#count(type, 'rejected')
    } else this.#fatal ??= error
  }

  async #bring(source: SourceRecord, record: LoadRecord): Promise<Target> {
    const errors = [...source.errors, ...(source.errors.length > 0 ? [] : checkRecord(record))]
    const broken = errors.length > 0 ? new Refused(errors) : undefined
    const { place } = source
    if (record.type === 'image') {
      this.#count('image', await this.#images.take(source, record, broken))
      return { state: 'none' }
    }
    if (broken !== undefined) throw broken
    if (isLinkedRecord(record)) {
      const found = await this.#links.find(record, place)
      this.#count(record.type, found === undefined ? 'not found' : 'found')
      return { state: 'linked', record, id: found }
    }
    switch (record.type) {
      case 'house':
        return this.#takeHouse(record)
      case 'auction':
      case 'session':
      case 'item':
        return this.#done(place, record, await this.#records.bring(place, record))
      case 'lot':
        return this.#takeLot(place, record)
      default:
        this.#count(record.type, 'not carried')
        return { state: 'none' }
    }
  }

  #takeHouse(record: Records['house']): Target {
    if (this.#house !== undefined && this.#house.slug !== record.slug)
      throw new Unusable('the source has records of several houses, and a key belongs to one: divide it')
    this.#house = record
    this.#run.locale = languageOf(record.default_locale)
    return { state: 'none' }
  }

  async #done(place: Place, record: LoadRecord, { outcome, id, stored }: Carried<StoredRecord>): Promise<Target> {
    this.#count(record.type, outcome)
    if (id === undefined) return { state: 'planned', name: nameRecord(record) }
    const isNew = outcome === 'created'
    const images = this.#hasPictures ? (stored?.images as Shown[] | undefined) : undefined
    const shown = images?.map(({ id, featured }) => ({ id, featured }))
    await this.#images.checkUnnamed(place, record.ref, id, shown)
    return { state: 'there', id, isNew, shown }
  }

  async #takeLot(place: Place, record: Records['lot']): Promise<Target> {
    if (record.archived) throw refuse('archived', 'not_carried', 'archived records cannot be made over HTTP')
    const [session, item] = [
      await this.#targets.find('session', record.session),
      await this.#targets.find('item', record.item),
    ]
    const name = (target: typeof session) => ({
      id: target.state === 'there' ? target.id : undefined,
      name: target.state === 'there' ? target.id : target.state === 'planned' ? target.name : '',
    })
    const outcome = await this.#lots.bring(place, record, name(session), name(item))
    this.#count('lot', outcome)
    return { state: 'none' }
  }
}
