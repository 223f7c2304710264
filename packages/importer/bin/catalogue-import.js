#!/usr/bin/env node
import process, { env } from 'node:process'

// A young generation and arenas of malloc of their usual sizes would take more memory than a sheet of 100,000 rows. Only a new
// program can have smaller ones. A Node before 22.15, or Windows, goes on as it is.
if (process.execve && process.platform !== 'win32' && env.MALLOC_ARENA_MAX === undefined) {
  const words = [process.execPath, '--max-semi-space-size=1', ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, words, { ...env, MALLOC_ARENA_MAX: '1' })
}
await import('../dist/main.js')
