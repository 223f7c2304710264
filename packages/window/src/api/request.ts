import { changeConnection, observeClock, readConnection, signOut } from './connection.ts'

/** What the service refused, or why it could not be reached. `code` is the slug of the problem's type. */
export class CatalogueError extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly requestId: string | null
  readonly etag: string | null
  readonly errors: { field: string; code: string; message: string }[]
  readonly uncertain: boolean

  constructor(of: Partial<CatalogueError> & { code: string }) {
    super(of.detail ?? of.code)
    this.status = of.status ?? 0
    this.code = of.code
    this.detail = of.detail ?? ''
    this.requestId = of.requestId ?? null
    this.etag = of.etag ?? null
    this.errors = of.errors ?? []
    this.uncertain = of.uncertain ?? false
  }
}

type Query = Record<string, string | number | boolean | string[] | undefined>
export type Call = {
  method?: string
  query?: Query
  body?: unknown
  headers?: Record<string, string | undefined>
  signal?: AbortSignal | undefined
  /** Another key than the one that is signed in. */
  key?: string
}

function printQuery(query: Query = {}): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value) pairs.append(`${name}[]`, each)
    else if (value !== undefined) pairs.append(name, String(value))
  }
  return pairs.size === 0 ? '' : `?${pairs}`
}

/** The problem of an answer, and what the connection learns of it. */
export function readProblem(status: number, header: (name: string) => string | null, text: string): CatalogueError {
  let problem: { type?: string; detail?: string; errors?: CatalogueError['errors'] } = {}
  try {
    problem = JSON.parse(text) as typeof problem
  } catch {
    // A proxy may answer in the place of the service.
  }
  const seconds = Number(header('retry-after') ?? 1)
  if (status === 401 && readConnection().key !== null) signOut('refused')
  if (status === 429) changeConnection({ trouble: 'limited', until: Date.now() + seconds * 1000 })
  if (status === 502 || status === 503 || status === 504) changeConnection({ trouble: 'away' })
  return new CatalogueError({
    status,
    code: problem.type?.split('/').at(-1) ?? 'internal-error',
    detail: problem.detail ?? '',
    errors: problem.errors ?? [],
    requestId: header('request-id'),
    etag: header('etag'),
  })
}

/** Sends a request below `/api/v2`. Rejects with a CatalogueError. */
export async function request(path: string, call: Call = {}): Promise<{ body: unknown; etag: string | null }> {
  const { method = 'GET', signal, key = readConnection().key } = call
  const asked = Date.now()
  const headers = new Headers({ authorization: `Bearer ${key}` })
  for (const [name, value] of Object.entries(call.headers ?? {})) if (value !== undefined) headers.set(name, value)
  if (call.body !== undefined) headers.set('content-type', 'application/json')
  const reply = await fetch(`/api/v2${path}${printQuery(call.query)}`, {
    method,
    headers,
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    ...(signal && { signal }),
    cache: 'no-store',
    redirect: 'error',
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    changeConnection({ trouble: navigator.onLine ? 'away' : 'offline' })
    throw new CatalogueError({ code: 'unreachable', uncertain: method !== 'GET' })
  })
  const text = await reply.text()
  observeClock(reply.headers.get('date'), asked)
  if (!reply.ok) throw readProblem(reply.status, (name) => reply.headers.get(name), text)
  changeConnection({ trouble: null })
  return { body: text === '' ? undefined : JSON.parse(text), etag: reply.headers.get('etag') }
}
