import { DatabaseSync } from 'node:sqlite'
import { type KnownItem, type Source } from './known-items.ts'

/** At most 100 ids, the best first; whether words of the query were corrected, and whether some were left out. */
type Answer = { ids: string[]; corrected?: boolean; relaxed?: boolean }

/** A search among the records of a source. */
export type Engine = { name: 'the catalogue' | 'SQLite FTS5'; search: (q: string) => Answer | Promise<Answer> }

/** The most records that an engine is asked for. */
export const most = 100

const letters: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd' }

/** A text without accents, in lower case. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßøæœłđ]/g, (letter) => letters[letter]!)

/** The words of a text, folded. */
export const split = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

// Chinese has no spaces between its words: each character is a word, several are a phrase.
const space = (text: string) => text.replaceAll(/\p{Script=Han}/gu, ' $& ')

const folded = ({ id, title, maker, description }: KnownItem) => ({
  id,
  title: space(fold(title)),
  maker: space(fold(maker)),
  description: space(fold(description)),
})

// Of weights from 1 to 64 for title and maker, these found Katabase and the Tate best; so did words before their stems.
const weights = '0, 64, 64, 1'
const tokenizers = { words: 'unicode61', stems: 'porter unicode61' }

/** SQLite's FTS5: every word, the last as a beginning; if that finds nothing, the stem of every word; then any stem. */
export function openSqlite({ items }: Source): Engine {
  const db = new DatabaseSync(':memory:')
  for (const [table, tokenizer] of Object.entries(tokenizers)) {
    db.exec(
      `create virtual table ${table} using fts5 (id unindexed, title, maker, description, tokenize = '${tokenizer}')`,
    )
    const add = db.prepare(`insert into ${table} values (?, ?, ?, ?)`)
    db.exec('begin')
    for (const { id, title, maker, description } of items.map(folded)) add.run(id, title, maker, description)
    db.exec('commit')
  }
  const prepare = (table: keyof typeof tokenizers) => {
    const matching = `select id from ${table} where ${table} match ?`
    return db.prepare(`${matching} order by bm25(${table}, ${weights}) limit ${most}`)
  }
  const [words, stems] = [prepare('words'), prepare('stems')]
  return {
    name: 'SQLite FTS5',
    search(q) {
      const asked = split(q).map((word) => `"${space(word)}"`)
      if (asked.length === 0) return { ids: [] }
      if (!/\s$/.test(q)) asked.push(`${asked.pop()!}*`)
      const [every, any] = [asked.join(' '), asked.join(' OR ')]
      for (const found of [() => words.all(every), () => stems.all(every), () => stems.all(any)]) {
        const rows = found()
        if (rows.length > 0) return { ids: rows.map((row) => String(row['id'])) }
      }
      return { ids: [] }
    },
  }
}
