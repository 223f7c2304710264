// A run (`run.ts`) reads its source (`source.ts`) twice: once to count, once to take each record. A record is checked
// (`checks.ts`) and found by its reference (`stored.ts`), then created, changed or left (`carrier.ts`). Pointers lead to
// earlier records (`targets.ts`) or to records that the house has (`links.ts`). The journal (`journal.ts`) has every
// finished record, `rejections.ts` every refused one. `slots.ts` limits simultaneous requests.
import { CatalogueError, type Catalogue } from '@auction-catalogue/client'
import type { Carried } from './carrier.ts'
import { checkRecord } from './checks.ts'
import type { FindItem } from '../source/folder.ts'
import { ImageGroups } from '../pictures/image-groups.ts'
import type { Shown } from '../pictures/gallery.ts'
import type { House } from '../mapping/mapping.ts'
import type { Journal } from './journal.ts'
import { Links } from './links.ts'
import { Unusable } from '../misfit.ts'
import { ReferencedRecords, type StoredRecord } from './referenced-records.ts'
import { isLinkedRecord, nameRecord, type LoadRecord, type Place, type Records, type SourceRecord } from '../records.ts'
import { errorsOf, Refused, refuse, Rejections } from '../rejections.ts'
import type { Counts, Done, Mode, Outcome, Run, Unnamed } from './run.ts'
import { SessionLots } from './session-lots.ts'
import type { Result, Taken } from './result.ts'
import type { Slots } from './slots.ts'
import type { Source } from './source.ts'
import { Targets, type Target } from './targets.ts'

/** The settings of a run. */
export type Settings = {
  mode: Mode
  isResumed: boolean
  maxErrors: number
  source: Source
  catalogue: Catalogue
  journal: Journal
  slots: Slots
  /** Aborts requests and waits. */
  signal: AbortSignal
  tell(done: Done): void
}

// Types come from the source as they are, even `__proto__`.
const createCounter = <T>() => Object.create(null) as Record<string, T>

// After these errors, every other record would fail too.
const endings = new Set(['network-failure', 'unauthorized', 'missing-permission', 'aborted'])
async function readHouse(catalogue: Catalogue): Promise<House> {
  const house: House | undefined = await catalogue.house()
  if (house === undefined) throw new Unusable('the service does not say which house the key belongs to: it is too old')
  return house
}

const tasksAtOnce = 64
const itemsInProcessing = 2_000

/** Imports a source into a catalogue, rehearses the import, or compares source and catalogue. */
export class Importer {
  /** The number of records of each type in the source. */
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
  #told: Promise<House> | undefined
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
      house: () => (this.#told ??= readHouse(catalogue)),
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
    this.#lots = new SessionLots(this.#run, (from, record, error) => {
      if (error === undefined) this.#endLot(record, 'changed')
      else this.#reject(from, 'lot', error)
    })
    this.#records = new ReferencedRecords(this.#run, this.#links, this.#targets, () => this.#hasPictures)
  }

  /** Ends the run after the records under way. */
  stop(): void {
    this.#fatal ??= new Unusable(`interrupted${this.#settings.mode === 'apply' ? ': go on with apply --resume' : ''}`)
  }

  // Galleries are read with the items, and kept in memory, only if the source has pictures.
  get #hasPictures(): boolean {
    return this.#settings.source.isFolder || Boolean(this.totals.image)
  }

  /** The number of imported pictures that are still being processed. */
  get processing(): number {
    return this.#images.processing
  }

  #count(type: string, outcome: Outcome, change = 1): void {
    const counts = (this.counts[type] ??= {})
    counts[outcome] = (counts[outcome] ?? 0) + change
  }

  /**
   * Carries out the run. A failed record does not stop the others. If the run ends early, journal and result have what was
   * done until then.
   * @throws Unusable if the source cannot be read, before any change
   */
  async run(): Promise<Result> {
    const { source, maxErrors } = this.#settings
    const findItem = (reference: string) => this.#records.findItem(reference)
    let [isSurveyed, isCutShort, isAtEnd] = [false, false, false]
    const taken: Taken = { count: 0, lines: { first: 0, last: 0 } }
    const tasks = new Set<Promise<void>>()
    const { finishing } = this.#images
    try {
      // The names of a folder's pictures are compared with the references of all items.
      if (source.isFolder) this.#records.prepare({ item: Infinity })
      await this.#survey(source, findItem)
      isSurveyed = true
      for await (const each of source.records(findItem, this.#run.house)) {
        while (tasks.size >= tasksAtOnce || finishing.size >= itemsInProcessing)
          await Promise.race([...tasks, ...finishing])
        if (this.#fatal !== undefined) break
        const { line, last = line } = each.place
        const isNext = line !== taken.lines.first && each.record?.type !== 'house'
        // A row is taken with all of its records.
        if (isNext && this.#rejections.count > maxErrors) {
          isCutShort = true
          break
        }
        if (isNext) [taken.count, taken.lines] = [taken.count + 1, { first: line, last }]
        const task: Promise<void> = this.#take(each).finally(() => tasks.delete(task))
        tasks.add(task)
      }
      isAtEnd = !isCutShort && this.#fatal === undefined
    } catch (error) {
      if (!isSurveyed && error instanceof Unusable) throw error
      this.#fatal ??= error
    }
    await Promise.all(tasks)
    if (this.#fatal === undefined) await this.#lots.finish()
    await Promise.all(finishing)
    await this.#records.close()
    await this.#lots.close()
    return {
      account: source.account,
      unreadSheets: source.unreadSheets,
      counts: this.counts,
      rejections: this.#rejections,
      missing: this.#links.missing,
      refs: this.#links.refs,
      lots: this.#lots.missing,
      unnamed: this.#unnamed,
      unnamedLots:
        this.#run.mode === 'verify' && this.#fatal === undefined && !isCutShort ? await this.#lots.findUnnamed() : [],
      taken: isAtEnd ? undefined : taken,
      isCutShort,
      fatal: this.#fatal,
    }
  }

  /** Writes the rejected records beside the source. Returns the path of the file; undefined if none was rejected. */
  writeRejections(): Promise<string | undefined> {
    const { directory, name } = this.#settings.source
    return this.#rejections.write(directory, name, this.#house, (ref) => this.#targets.describe(ref))
  }

  async #survey(source: Source, findItem: FindItem): Promise<void> {
    const { isResumed, journal } = this.#settings
    const asked = createCounter<number>()
    for await (const { record, place, isAbsent } of source.records(findItem, this.#run.house)) {
      if (this.#fatal !== undefined) return
      if (record?.type === 'lot') this.#lots.expect(record, place)
      if (record !== undefined) this.#targets.expect(record)
      if (isAbsent) continue
      const type = record === undefined ? 'unreadable' : record.type
      this.totals[type] = (this.totals[type] ?? 0) + 1
      if (record === undefined) continue
      if (record.type === 'image') this.#images.expect(record.item)
      const isKnown = isResumed && journal.find(record.type, nameRecord(record)) !== undefined
      if (!isKnown) asked[type] = (asked[type] ?? 0) + 1
    }
    if (Object.keys(this.totals).length === 0) throw new Unusable(`${source.name} has no records`)
    this.#records.prepare(asked)
  }

  /** Takes one record. Notes its rejection, or the error that ends the run. */
  async #take(source: SourceRecord): Promise<void> {
    const { record } = source
    if (record === undefined) {
      this.#reject(source, 'unreadable', new Refused(source.errors))
      return
    }
    const target = this.#bring(source, record).then(
      (brought) => {
        // Rejected records are written with the records to which they point; pictures and lots may be rejected later.
        if (record.type !== 'image' && record.type !== 'lot') this.#targets.release(record)
        return brought
      },
      (error: unknown): Target => {
        this.#reject(source, record.type, error)
        // Pictures and lot of an item that differs are compared too.
        const id = error instanceof Refused ? error.id : undefined
        return id === undefined ? { state: 'none' } : { state: 'there', id, isNew: false, shown: undefined }
      },
    )
    await this.#targets.set(record, target)
  }

  #reject(source: SourceRecord, type: string, error: unknown): void {
    // A record that the source does not have cannot depend on another.
    if (source.isAbsent && error instanceof Refused && error.isDependent) return
    // An error that ends the run does not reject the record.
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
        return this.#takeLot(source, record)
      default:
        this.#count(record.type, 'not carried')
        return { state: 'none' }
    }
  }

  #takeHouse(record: Records['house']): Target {
    if (this.#house !== undefined && this.#house.slug !== record.slug)
      throw new Unusable('the source has records of several houses, and a key belongs to one: divide it')
    this.#house = record
    return { state: 'none' }
  }

  async #done(place: Place, record: LoadRecord, { outcome, id, stored }: Carried<StoredRecord>): Promise<Target> {
    this.#count(record.type, outcome)
    if (id === undefined) return { state: 'planned', name: nameRecord(record) }
    const isNew = outcome === 'created'
    const images = this.#hasPictures ? (stored?.images as Shown[] | undefined) : undefined
    const shown = images?.map(({ id, featured, alt, alt_translations }) => ({ id, featured, alt, alt_translations }))
    await this.#images.checkUnnamed(place, record.ref, id, shown)
    return { state: 'there', id, isNew, shown }
  }

  async #takeLot(source: SourceRecord, record: Records['lot']): Promise<Target> {
    if (record.archived) throw refuse('archived', 'not_carried', 'archived records cannot be made over HTTP')
    if (source.isAbsent) return this.#takeAbsence(source, record)
    const [session, item] = [
      await this.#targets.find('session', record.session),
      await this.#targets.find('item', record.item),
    ]
    const name = (target: typeof session) => ({
      id: target.state === 'there' ? target.id : undefined,
      name: target.state === 'there' ? target.id : target.state === 'planned' ? target.name : '',
    })
    const outcome = await this.#lots.bring(source, record, name(session), name(item))
    if (outcome !== 'waiting') this.#endLot(record, outcome)
    return { state: 'none' }
  }

  async #takeAbsence(source: SourceRecord, record: Records['lot']): Promise<Target> {
    const item = await this.#targets.find('item', record.item)
    const session = record.session === '' ? undefined : await this.#targets.find('session', record.session)
    const id = session?.state === 'there' ? session.id : undefined
    if (item.state === 'there') await this.#lots.expectNone(source, record, id, item.id)
    this.#targets.release(record)
    return { state: 'none' }
  }

  #endLot(record: Records['lot'], outcome: Outcome): void {
    this.#count('lot', outcome)
    this.#targets.release(record)
  }
}
