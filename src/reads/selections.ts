import { hash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import { identify, type Context } from '../context.ts'
import type { Keyset, Position } from './keyset.ts'
import { compile } from '../db/compile.ts'
import type { Database } from '../db/pool.ts'

type DocumentParts = {
  /** A table `as` a name. */
  table: RawBuilder<unknown>
  as: string
  /** Joined to each row, for both the tag and the document. */
  parents?: RawBuilder<unknown>
  /** Text of internal ids and revisions, without spaces. It changes with every change of the document. */
  tag: RawBuilder<unknown>
  /** Joined to each row last: a lateral `document` with the columns `json` and `defect`. */
  joins: RawBuilder<unknown>
  /** About how many bytes the document of a row has. A page of a list ends earlier than at its limit if they are many. */
  size?: RawBuilder<unknown>
  /** Changes with all else in an answer: settings, media URLs and SQL. Default: a hash of `joins`. */
  format?: string
  /** Stores documents of items. Then `document` also has `unready`: the item whose document was not stored yet. */
  store?: (db: Database, items: string[]) => void
}

/** How to read and show the records of a house. */
export type Documents = DocumentParts & { house: string; format: string }

/**
 * The records to read: `where` is SQL, in which `$house` stands for the house and `asked.name` for a value of
 * `asked`, as text. Two selections that differ only in the values run the same statement.
 */
export type Selection<Of = Pick<Context, 'db'>> = {
  context: Of
  documents: Documents
  where: string
  asked: Record<string, string | number | boolean | undefined>
  /**
   * The parents that all records share, joined to `asked` once instead of the documents' `parents`. SQL like that of
   * `where`.
   */
  parents?: string | undefined
}

/** Records in an order. */
export type ListSelection<Of = Pick<Context, 'db'>> = Selection<Of> & { order: Keyset }

/** The page of a list to read: at most `limit` records after a position. */
export type PageRequest = { limit: number; after: Position | undefined }

/**
 * A record that was found: its tag, and its JSON text unless the caller knows it. `position` if another record
 * follows.
 */
export type FoundRecord = { tag: string; json: string | null; position: Position | undefined }

// The limit per kind of record. An entry takes 1 to 3 KB, and a fifth of a millisecond to make.
const mostMemoized = 500
const mostTexts = 1_000

// Entries of different houses and URLs differ only in parameters. Copies of the text would be most of their memory.
const texts = new LRUCache<string, { text: string; parts: TemplateStringsArray }>({ max: mostTexts })

/** The only copy of a text, and its parts between the parameters. */
export function shareText(text: string) {
  const known = texts.get(text)
  if (known) return known
  const shared = { text, parts: text.split(/\$\d+/) as unknown as TemplateStringsArray }
  texts.set(text, shared)
  return shared
}

/**
 * Memoizes `make` by house, mediaBase and expansions, the only parts of a context that it may use. Without it,
 * compiling documents would be a third of the cost of a small read. The least recently used entries are dropped.
 */
export function memoize<Expansion extends string = never>(
  make: (context: Pick<Context, 'house' | 'mediaBase'>, expand: readonly Expansion[]) => DocumentParts,
): (context: Pick<Context, 'house' | 'mediaBase'>, expand?: readonly Expansion[]) => Documents {
  const made = new LRUCache<string, Documents>({ max: mostMemoized })
  return (context, expand = []) => {
    const names = expand.length > 1 ? [...new Set(expand)].toSorted().join() : (expand[0] ?? '')
    const name = `${identify(context.house)} ${context.mediaBase} ${names}`
    const known = made.get(name)
    if (known) return known
    const parts = make(context, expand)
    const { text, parameters } = compile(parts.joins)
    const documents = {
      ...parts,
      house: context.house.id,
      joins: sql(shareText(text).parts, ...parameters),
      format: parts.format ?? hashFormat(parts.joins),
    }
    made.set(name, documents)
    return documents
  }
}

/** A text that changes with the SQL of a document and its parameters. */
export function hashFormat(documents: RawBuilder<unknown>): string {
  const { text, parameters } = compile(documents)
  return hash('sha1', JSON.stringify([text, parameters]), 'base64url')
}
