import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { checkout } from './support/process.ts'

const isOurs = (name: string) => !/(^|\/)(node_modules|dist|\.[^/]*)$/.test(name)
const files = globSync('**/*', { cwd: checkout, exclude: (name) => !isOurs(name) })
const known = new Set(files)
// The change log names files of earlier versions, and generated pages name none.
const pages = files.filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md' && !name.startsWith('docs/sql/'))
const texts = new Map(pages.map((page) => [page, readFileSync(path.join(checkout, page), 'utf8')]))
const withoutBlocks = (text: string) => text.replaceAll(/^```[^]*?^```$/gm, '')

// Programs that a page prints, and folders of a media store or an archive.
const elsewhere = new Set(['import.ts', 'rehearse.ts', 'catalogue.json', 'rows/', 'public/', 'private/', 'originals/'])

test('every file and folder that a document names in backticks exists', () => {
  const missing = Array.from(texts, ([page, text]) =>
    Array.from(withoutBlocks(text).matchAll(/`([\w@.][\w@./-]*(?:\.(?:ts|tsx|sql|json|md|css|svg|dot|yaml)|\/))`/g))
      .map(([, name]) => name!)
      .filter((name) => !elsewhere.has(name))
      .filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name.replace(/\/$/, '')}`)))
      .map((name) => `${page}: ${name}`),
  )
  assert.deepEqual(missing.flat(), [])
})

const anchorsOf = (text: string) => [
  ...Array.from(withoutBlocks(text).matchAll(/^#+ (.*)$/gm), ([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  ),
  ...Array.from(text.matchAll(/ (?:id|name)="([^"]+)"/g), ([, anchor]) => anchor!),
]

test('every link between documents leads to a file and to a heading of it', () => {
  const broken = Array.from(texts, ([page, text]) =>
    Array.from(withoutBlocks(text).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g))
      .map(([link, target, anchor]) => ({ link, anchor, file: path.join(path.dirname(page), target || '.') }))
      .map((each) => ({ ...each, file: each.link.startsWith('](#') ? page : each.file.replace(/\/$/, '') }))
      .filter(({ file, anchor }) => {
        const linked = texts.get(file)
        return !known.has(file) || (anchor !== undefined && linked && !anchorsOf(linked).includes(anchor))
      })
      .map(({ link }) => `${page}: ${link.slice(2, -1)}`),
  )
  assert.deepEqual(broken.flat(), [])
})
