import { createError } from './errors.ts'

/** A page of a list. `Cursor`: the feed of changes has one on every page. `More`: what a search tells besides. */
export type Page<T, Cursor extends string | null = string | null, More = object> = More & {
  data: T[]
  hasMore: boolean
  /** The cursor of the next page; null at the end of a list. */
  nextCursor: Cursor
  /** The next page; undefined at the end. */
  next(): Promise<Page<T, Cursor, More> | undefined>
}

/** Where a page begins, and the most records that it has. */
export type Position = { limit?: number | undefined; cursor?: string | undefined }

/** A page as the service sends it. */
export type RawPage<T, More = object> = { data: T[]; has_more: boolean; next_cursor: string | null; findings?: More }

// Reads a page. At the end of a list that is followed, it waits for more.
type Read<T, More> = (position: Position, isAtEnd: boolean) => Promise<RawPage<T, More>>

// An earlier cursor, to compare later ones with. It is replaced after twice as many pages each time, so that the client
// finds every circle of cursors, however long.
type Mark = { cursor: string | null | undefined; pages: number; most: number }

function advance({ cursor, pages, most }: Mark, next: string | null): Mark {
  if (next === null || next === cursor) {
    const title = 'The list does not end: the service says that there is more, and repeats itself'
    throw createError({ status: 200, code: 'unreadable-answer', title })
  }
  return pages + 1 < most ? { cursor, pages: pages + 1, most } : { cursor: next, pages: 0, most: 2 * most }
}

/** A list that is read as it is used: `for await` gives every record, `pages()` every page, `page()` the first one. */
export class Listing<T, Cursor extends string | null = string | null, More = object> implements AsyncIterable<T> {
  readonly #read: Read<T, More>
  readonly #start: Position
  readonly #follow: boolean

  constructor(read: Read<T, More>, start: Position, follow = false) {
    this.#read = read
    this.#start = start
    this.#follow = follow
  }

  /** The first page, of 25 records unless `limit` says otherwise. */
  page(): Promise<Page<T, Cursor, More>> {
    return this.#readPage(this.#start, false)
  }

  /** Every page, of 100 records unless `limit` says otherwise. */
  async *pages(): AsyncGenerator<Page<T, Cursor, More>, void, undefined> {
    const { limit = 100, cursor } = this.#start
    let page: Page<T, Cursor, More> | undefined = await this.#readPage({ limit, cursor }, false)
    for (; page; page = await page.next()) yield page
  }

  /** Every record, in pages of 100 unless `limit` says otherwise. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }

  async #readPage(position: Position, isAtEnd: boolean, mark?: Mark): Promise<Page<T, Cursor, More>> {
    const { data, has_more: hasMore, next_cursor: nextCursor, findings } = await this.#read(position, isAtEnd)
    const next = async () => {
      if (!hasMore && !this.#follow) return undefined
      const later = hasMore ? advance(mark ?? { cursor: position.cursor, pages: 0, most: 1 }, nextCursor) : undefined
      return this.#readPage({ ...position, cursor: nextCursor! }, !hasMore, later)
    }
    return { ...findings!, data, hasMore, nextCursor: nextCursor as Cursor, next }
  }
}
