import path from 'node:path'
import { mock, test } from 'node:test'

// Runs the test files that are its words, one after another: a file ends, with its hooks, before the next one is imported.
const environment = { ...process.env }

// A file finds the clock and the environment as the first one did, but for what files share.
function restore(): void {
  mock.reset()
  for (const name of Object.keys(process.env))
    if (environment[name] === undefined && !name.startsWith('TEST_')) delete process.env[name]
  Object.assign(process.env, environment)
}

// All are declared at once: otherwise the hooks of the process would run after the first file.
for (const file of process.argv.slice(2))
  test(file, async () => {
    restore()
    await import(path.resolve(file))
  })
