/** A page of a list. */
export type Page<T> = {
  data: T[]
  hasMore: boolean
  /** Goes on behind this page; null at the end of a list. */
  nextCursor: string | null
  /** The page behind this one; undefined at the end. */
  next(): Promise<Page<T> | undefined>
}

/** Where a page begins, and how many records it has at most. */
export type Position = { limit?: number | undefined; cursor?: string | undefined }

/** A page as the service sends it. */
export type RawPage<T> = { data: T[]; has_more: boolean; next_cursor: string | null }

// Reads a page. At the end of a list that is followed, it waits for more.
type Read<T> = (position: Position, isAtEnd: boolean) => Promise<RawPage<T>>

/** A list that is read while it is used: `for await` gives every record, `page()` the first page. */
export class Listing<T> implements AsyncIterable<T> {
  readonly #read: Read<T>
  readonly #start: Position
  readonly #follow: boolean

  constructor(read: Read<T>, start: Position, follow = false) {
    this.#read = read
    this.#start = start
    this.#follow = follow
  }

  /** The first page, of 25 records unless `limit` says otherwise. */
  page(): Promise<Page<T>> {
    return this.#readPage(this.#start, false)
  }

  /** Every record, in pages of 100 unless `limit` says otherwise. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const { limit = 100, cursor } = this.#start
    let page: Page<T> | undefined = await this.#readPage({ limit, cursor }, false)
    for (; page; page = await page.next()) yield* page.data
  }

  async #readPage(position: Position, isAtEnd: boolean): Promise<Page<T>> {
    const { data, has_more: hasMore, next_cursor: nextCursor } = await this.#read(position, isAtEnd)
    const next = async () =>
      hasMore || this.#follow ? this.#readPage({ ...position, cursor: nextCursor! }, !hasMore) : undefined
    return { data, hasMore, nextCursor, next }
  }
}
