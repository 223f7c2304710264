import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A file of the window: its bytes, and as compressed by the build. */
export type WindowFile = { type: string; etag: string; plain: Buffer; br: Buffer | undefined; gzip: Buffer | undefined }

/** The files of the window by their path in an address: `/` is the page. */
export type WindowFiles = ReadonlyMap<string, WindowFile>

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

// In the published package beside this file; in a checkout where `npm ci` builds them.
const folders = [path.join(import.meta.dirname, 'files'), path.join(import.meta.dirname, '../../packages/window/dist')]

async function readFolder(folder: string): Promise<WindowFiles> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => path.extname(name) in types)
  const optional = (name: string) => readFile(path.join(folder, name)).catch(() => undefined)
  const read = async (name: string): Promise<[string, WindowFile]> => {
    const plain = await readFile(path.join(folder, name))
    const [br, gzip] = await Promise.all([optional(`${name}.br`), optional(`${name}.gz`)])
    const address = name === 'index.html' ? '/' : `/${name.split(path.sep).join('/')}`
    const etag = `W/"${hash('sha256', plain, 'base64url').slice(0, 22)}"`
    return [address, { type: types[path.extname(name)]!, etag, plain, br, gzip }]
  }
  return new Map(await Promise.all(names.map(read)))
}

/** Reads the built window into memory, about 1.5 MB. Undefined if it was not built. */
export async function readWindow(): Promise<WindowFiles | undefined> {
  for (const folder of folders) {
    const files = await readFolder(folder).catch(() => undefined)
    if (files?.has('/')) return files
  }
  return undefined
}
