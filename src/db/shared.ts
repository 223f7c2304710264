// A run that takes longer has probably lost its connection. The next runs do not wait for it.
const timeoutMilliseconds = 1_000
const mostRuns = 2

type Run = { names: Set<string>; begun: number }
type Call<Asked, Result> = {
  asked: Asked
  outcome: Promise<Result>
  resolve(result: Result): void
  reject(error: unknown): void
}

function makeCall<Asked, Result>(asked: Asked): Call<Asked, Result> {
  const call = { asked } as Call<Asked, Result>
  call.outcome = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }))
  return call
}

/**
 * Returns a function whose calls share runs of `work`. All waiting calls, at most `most`, share one run; calls with
 * the same name share one entry in it. At most two runs are under way, unless more calls wait than one run takes. A
 * run serves only calls made before it began, so no result is older than its call.
 */
export function shareRuns<Asked, Result>(work: (asked: Asked[]) => Promise<Result[]>, most: number) {
  const waiting = new Map<string, Call<Asked, Result>>()
  const runs = new Set<Run>()
  let scheduled = false

  async function run(calls: [string, Call<Asked, Result>][]) {
    const started = { names: new Set(calls.map(([name]) => name)), begun: performance.now() }
    runs.add(started)
    try {
      const results = await work(calls.map(([, { asked }]) => asked))
      for (const [at, [, call]] of calls.entries()) call.resolve(results[at]!)
    } catch (error) {
      for (const [, call] of calls) call.reject(error)
    }
    runs.delete(started)
    if (waiting.size > 0) begin()
  }

  function takeCalls(current: Run[]) {
    const calls: [string, Call<Asked, Result>][] = []
    for (const entry of waiting) {
      if (calls.length === most) break
      // A call with the name of a run under way waits for the end of that run, and then shares the next one.
      if (!current.some(({ names }) => names.has(entry[0]))) calls.push(entry)
    }
    for (const [name] of calls) waiting.delete(name)
    return calls
  }

  function begin() {
    scheduled = false
    for (;;) {
      const now = performance.now()
      const current = [...runs].filter(({ begun }) => now - begun < timeoutMilliseconds)
      if (current.length >= mostRuns && waiting.size < most) return
      const calls = takeCalls(current)
      if (calls.length === 0) return
      void run(calls)
    }
  }

  return (name: string, asked: Asked): Promise<Result> => {
    let call = waiting.get(name)
    if (!call) waiting.set(name, (call = makeCall(asked)))
    // Requests that arrive in the same turn of the event loop share a run.
    if (!scheduled) {
      scheduled = true
      setImmediate(begin)
    }
    return call.outcome
  }
}
