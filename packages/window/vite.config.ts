import { hash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const folder = path.join(import.meta.dirname, 'dist')

/** Writes a `.br` and a `.gz` file for every text file of the build, so that the service need not compress. */
const compress: Plugin = {
  name: 'compress',
  apply: 'build',
  async writeBundle() {
    const files = await readdir(folder, { recursive: true })
    for (const file of files.filter((name) => /\.(html|js|css|svg)$/.test(name))) {
      const bytes = await readFile(path.join(folder, file))
      await writeFile(path.join(folder, `${file}.br`), brotliCompressSync(bytes))
      await writeFile(path.join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}

/** Tells the service worker the files of the build and their hashes. */
const offline: Plugin = {
  name: 'offline',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const worker = bundle['offline.js']
      if (worker?.type !== 'chunk') return
      const files = Object.values(bundle).filter((file) => file !== worker)
      const hashes = files.map((file): [string, string] => [
        file.fileName === 'index.html' ? '/' : `/${file.fileName}`,
        `sha256-${hash('sha256', file.type === 'chunk' ? file.code : file.source, 'base64')}`,
      ])
      worker.code = `const files=${JSON.stringify(Object.fromEntries(hashes))};${worker.code}`
    },
  },
}

/** Lets the page request the font and the program behind `start.ts` at once, for its first text. */
const preload: Plugin = {
  name: 'preload',
  transformIndexHtml(_html, { bundle = {} }) {
    const scripts = Object.values(bundle).filter((file) => file.type === 'chunk' && file.name === 'app')
    const link = (name: string, attrs: Record<string, string | boolean>) => ({
      tag: 'link',
      attrs: { ...attrs, href: `/${name}` },
      injectTo: 'head' as const,
    })
    const fonts = Object.keys(bundle).filter((name) => name.endsWith('.woff2'))
    return [
      ...fonts.map((name) => link(name, { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true })),
      ...scripts.map(({ fileName }) => link(fileName, { rel: 'modulepreload', crossorigin: true })),
    ]
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US', 'nl-NL', 'de-DE', 'fr-FR'] }), enforce: 'pre' },
    preload,
    offline,
    compress,
  ],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'src/offline.ts'].map((name) => path.join(import.meta.dirname, name)),
      // Each page loads all that it needs from two files, in parallel.
      output: {
        entryFileNames: ({ name }) => (name === 'offline' ? 'offline.js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          groups: [
            { name: 'start', test: /src\/(start|parts\/load)\.ts$|preload-helper/, priority: 2 },
            { name: 'app', test: /src\/app\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  // The service at its usual address, for work on the window itself.
  server: { proxy: { '/api': 'http://127.0.0.1:4000', '/media': 'http://127.0.0.1:4000' } },
})
