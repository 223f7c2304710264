/** The fate of an attempt: it is not sent, its answer is lost, or a proxy answers. Undefined: it arrives. */
export type Fate = 'unsent' | 'lost' | 'half' | Response | undefined

/** A request that was tried. */
export type Attempt = { method: string; path: string; headers: Headers; at: number }

/**
 * A `fetch` whose first attempts have these fates, in order, while all later ones arrive. Also returns the attempts.
 */
export function createNetwork(...fates: Fate[]) {
  const attempts: Attempt[] = []
  const fetchBadly: typeof fetch = async (input, init) => {
    const request = { method: init!.method!, headers: new Headers(init!.headers), at: performance.now() }
    const { pathname: path } = new URL(input instanceof Request ? input.url : input)
    const fate = fates[attempts.push({ ...request, path }) - 1]
    if (fate === 'unsent') throw new TypeError('fetch failed')
    if (fate instanceof Response) return fate
    const answer = await fetch(input, init)
    const text = await answer.text()
    if (fate === 'lost') throw new TypeError('fetch failed')
    const { status, headers } = answer
    return new Response(status === 204 ? null : fate === 'half' ? text.slice(0, text.length / 2) : text, {
      status,
      headers,
    })
  }
  return { fetch: fetchBadly, attempts }
}

/** An answer of a proxy. */
export function answer(status: number, headers: Record<string, string> = {}): Response {
  return new Response('<h1>no</h1>', { status, headers })
}
