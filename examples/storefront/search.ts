import { setTimeout as sleep } from 'node:timers/promises'
import {
  CatalogueError,
  cursor,
  type Catalogue,
  type Change,
  type LotId,
  type SessionId,
} from '@auction-catalogue/client'

const types = ['auction', 'session', 'lot', 'item'] as const
type Followed = Change<(typeof types)[number], 'record'>

// Words without accents and capitals, each after a space: "poele" finds "Poêle".
const simplify = (text: string) =>
  ` ${text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()}`.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')

const emptyTables = () => ({
  auctions: new Map<string, { published: boolean }>(),
  sessions: new Map<string, { title: string; auction: string; published: boolean; opensAt: string | null }>(),
  lots: new Map<string, { id: LotId; session: string; item: string; number: number | null; active: boolean }>(),
  texts: new Map<string, string>(),
})

/** The searchable part of a house's published catalogue, in memory, kept fresh by the feed of changes. */
export class SearchIndex {
  readonly #catalogue: Catalogue
  #tables = emptyTables()
  #after: string | undefined

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** Reads the whole catalogue. */
  async fill(signal?: AbortSignal): Promise<void> {
    await this.#read(false, signal)
  }

  /**
   * Follows the changes until the signal aborts. After a failure it tries again: missed changes are still in the feed.
   */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#read(true, signal).catch(async (error: unknown) => {
        // The database was restored from a backup, so the index may have records that no longer exist.
        if (error instanceof CatalogueError && error.code === 'invalid-cursor') {
          this.#tables = emptyTables()
          this.#after = undefined
        } else if (!signal.aborted) await sleep(5_000, undefined, { ref: false })
      })
    }
  }

  async #read(follow: boolean, signal?: AbortSignal): Promise<void> {
    const query = { types, after: this.#after, expand: ['record'], follow } as const
    for await (const change of this.#catalogue.changes(query, { signal })) {
      this.#apply(change)
      this.#after = change[cursor]
    }
  }

  #apply({ type, id, record }: Followed): void {
    if (id === null) return
    const { auctions, sessions, lots, texts } = this.#tables
    if (record === null) for (const table of [auctions, sessions, lots, texts]) table.delete(id)
    else if (type === 'auction') auctions.set(id, record)
    else if (type === 'session') {
      const { title, auction, published, opens_at: opensAt } = record
      sessions.set(id, { title: title ?? '', auction, published, opensAt })
    } else if (type === 'lot') {
      const { id, session, item, lot_number: number, active } = record
      lots.set(id, { id, session, item, number, active })
    } else texts.set(id, simplify([record.title, record.description].join(' ')))
  }

  #isPublic(session: string): boolean {
    const { auctions, sessions } = this.#tables
    const found = sessions.get(session)
    return found?.published === true && auctions.get(found.auction)?.published === true
  }

  /** The sessions that the public sees, by their opening. */
  sessions(): { id: SessionId; title: string; opensAt: string | null }[] {
    return [...this.#tables.sessions]
      .filter(([id]) => this.#isPublic(id))
      .map(([id, session]) => ({ ...session, id: id as SessionId }))
      .toSorted((one, other) => (one.opensAt ?? '').localeCompare(other.opensAt ?? ''))
  }

  /** The lots that the public sees whose texts have, for each search word, a word that begins with it. */
  search(question: string): LotId[] {
    const words = simplify(question).trim().split(' ')
    const { lots, texts } = this.#tables
    return [...lots.values()]
      .filter(({ session, item, active }) => {
        const text = texts.get(item) ?? ''
        return active && this.#isPublic(session) && words.every((word) => text.includes(` ${word}`))
      })
      .toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0))
      .map(({ id }) => id)
  }
}
