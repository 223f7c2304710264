import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'

// A file that ends before its tests would pass with those that it ran. One that stays open after its tests, because it
// holds a server or a timer, would hold the run for ever. The timer does not keep the file open itself.
const longestMilliseconds = 300_000

// The processes and threads that a test starts may load this module too.
if (isMainThread && process.argv[1]?.endsWith('.test.ts')) {
  let isOver = false
  after(() => {
    isOver = true
    setTimeout(() => {
      console.error(`The file stays open after its tests: it holds ${process.getActiveResourcesInfo().join(', ')}`)
      process.exit(1)
    }, longestMilliseconds).unref()
  })
  process.on('exit', () => {
    if (isOver) return
    console.error('The file ended before its tests.')
    process.exitCode ||= 1
  })
}
