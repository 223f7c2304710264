import { after } from 'node:test'

// A file whose tests have ended, but which holds a server or a timer, would hold its lane of the run for ever. The timer
// does not keep the file open itself.
const longestMilliseconds = 300_000

after(() => {
  setTimeout(() => {
    console.error(`The file stays open after its tests: it holds ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1)
  }, longestMilliseconds).unref()
})
