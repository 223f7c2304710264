#!/usr/bin/env node
import process, { env } from 'node:process'

// A smaller young generation and fewer arenas of malloc save more memory than a sheet of 100,000 rows needs. Only a new
// process can have them. Before Node 22.15, and on Windows, the program runs without them.
if (process.execve && process.platform !== 'win32' && env.MALLOC_ARENA_MAX === undefined) {
  const words = [process.execPath, '--max-semi-space-size=1', ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, words, { ...env, MALLOC_ARENA_MAX: '1' })
}
await import('../dist/main.js')
