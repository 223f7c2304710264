// Fails if the first view of the window is larger than its bound: `npm run verify`.
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

/** Bytes over the line, compressed. */
const bound = 150_000

const built = (await build({
  configFile: path.join(import.meta.dirname, 'vite.config.ts'),
  logLevel: 'error',
  build: { write: false },
})) as Rolldown.RolldownOutput
const files = new Map(built.output.map((file) => [file.fileName, file]))

// The page, its program with what that imports, the follower of the changes, the font, and the styles of the page.
const first = new Set<string>(['index.html'])
function take(name: string): void {
  const file = files.get(name)
  if (file?.type !== 'chunk' || first.has(name)) return
  first.add(name)
  for (const each of file.imports) take(each)
}
for (const file of files.values()) {
  if (file.type === 'chunk' && ['index', 'app', 'follow'].includes(file.name)) take(file.fileName)
  if (file.fileName.endsWith('.woff2') || /index-.*\.css$/.test(file.fileName)) first.add(file.fileName)
}
const sizeOf = (name: string) => {
  const file = files.get(name)!
  return brotliCompressSync(file.type === 'chunk' ? file.code : file.source).length
}
const size = [...first].reduce((sum, name) => sum + sizeOf(name), 0)
if (size > bound) {
  process.stderr.write(
    `The first view of the window takes ${size} bytes compressed, more than ${bound}: load a part when it is used\n`,
  )
  process.exitCode = 1
} else if (process.argv.includes('--print')) process.stdout.write(`${size}\n`)
