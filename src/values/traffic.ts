// The requests of this process, which background work gives way to.
let latest = -Infinity
let isAlone = false

/** Notes that a request with a key has come. */
export function noteRequest(): void {
  latest = performance.now()
}

/** Notes that all requests to the database's houses come to this process. */
export function expectAllRequests(): void {
  isAlone = true
}

const quietMilliseconds = 1_000

/** Whether requests come now. Unknown if none comes to this process, and others may answer some. */
export function findTraffic(): 'busy' | 'quiet' | 'unknown' {
  if (performance.now() - latest < quietMilliseconds) return 'busy'
  return isAlone ? 'quiet' : 'unknown'
}
