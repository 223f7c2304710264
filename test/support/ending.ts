import { after } from 'node:test'
import { isMainThread } from 'node:worker_threads'

// A process that ends before its tests would pass with those that it ran. One that stays open after its tests, because it
// holds a server or a timer, would hold the run for ever. The timer does not keep it open itself.
const longestMilliseconds = 300_000

const closers: (() => Promise<unknown>)[] = []

/** Closes what the files of a process share, after the last of them. */
export const closeInTheEnd = (close: () => Promise<unknown>) => void closers.push(close)

// The processes and threads that a test starts may load this module too.
if (isMainThread && /(\.test|\/room)\.ts$/.test(process.argv[1] ?? '')) {
  let isOver = false
  after(async () => {
    await Promise.all(closers.map((close) => close()))
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
