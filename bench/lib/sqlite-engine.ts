import { DatabaseSync } from 'node:sqlite'
import { type KnownItem, type Source } from './known-items.ts'

/** At most 100 ids, the best first; whether words of the query were corrected, and whether some were left out. */
type Answer = { ids: string[]; corrected?: boolean; relaxed?: boolean }

/** A search among the records of a source. */
export type Engine = { name: string; search: (q: string) => Answer | Promise<Answer> }

/** The most records that an engine is asked for. */
export const most = 100

/** A text without accents, in lower case. */
export const fold = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The words of a text, folded. */
export const split = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

const folded = ({ id, title, maker, description }: KnownItem) => ({
  id,
  title: fold(title),
  maker: fold(maker),
  description: fold(description),
})

/** SQLite's FTS5: every word, the last as a beginning; if that finds nothing, any word. */
export function openSqlite({ items }: Source): Engine {
  const db = new DatabaseSync(':memory:')
  db.exec(`create virtual table texts using fts5 (id unindexed, title, maker, description,
    tokenize = 'porter unicode61 remove_diacritics 2')`)
  const add = db.prepare('insert into texts values (?, ?, ?, ?)')
  db.exec('begin')
  for (const { id, title, maker, description } of items.map(folded)) add.run(id, title, maker, description)
  db.exec('commit')
  const find = db.prepare('select id from texts where texts match ? order by bm25(texts, 0, 4, 4, 1) limit ?')
  return {
    name: 'SQLite FTS5',
    search(q) {
      const words = split(q).map((word) => `"${word}"`)
      if (words.length === 0) return { ids: [] }
      if (!/\s$/.test(q)) words.push(`${words.pop()!}*`)
      const all = find.all(words.join(' '), most)
      const found = all.length > 0 ? all : find.all(words.join(' OR '), most)
      return { ids: found.map((row) => String(row['id'])) }
    },
  }
}
