import { createBodyCheck } from '../../test/support/contract.ts'
import { bytesOf, pathOf, type Call } from './call.ts'
import type { Answer } from './connection.ts'
import { problemsIn, type Interface, type Operation } from './document.ts'
import { defective, houses, markOf } from './houses.ts'
import { foreignHost } from './tricks/trick.ts'
import { canonicalAddress, taggedAddress, type Knowledge } from './knowledge.ts'

type Problem = { type: string; status: number; instance: string; detail: string; errors?: { field: string }[] }
type Json = { data?: unknown; next_cursor?: string | null }

const largestProblem = 128 * 1024
const largestAnswer = 32 * 1024 * 1024

// The violations in an answer, and its JSON if that is valid.
type Verdict = { operation: Operation | undefined; violations: string[]; body: Json | undefined }

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each)
}

const isUuid = (text: string) => /^([a-z]{3}_)?[0-9a-f-]{36}$/i.test(text)
const canonicalText = (text: string): unknown => {
  if (isUuid(text)) return text.slice(-36).toLowerCase()
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return Math.floor(Date.parse(text) / 1000)
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

const print = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The first field in which a record differs from the body that it was written with. */
function findLost(sent: unknown, shown: unknown, path: string): string | undefined {
  if (sent === null || sent === undefined) return shown === null || shown === undefined ? undefined : path
  if (Array.isArray(sent)) {
    if (!Array.isArray(shown)) return undefined
    const list = (values: unknown[]) =>
      values.map((each) => String(canonicalText(print((each as { id?: string } | null)?.id ?? each)))).toSorted()
    return JSON.stringify(list(sent)) === JSON.stringify(list(shown)) ? undefined : path
  }
  if (typeof sent === 'object') {
    for (const [name, each] of Object.entries(sent)) {
      const lost = findLost(each, (shown as Record<string, unknown> | null)?.[name], `${path}.${name}`)
      if (lost !== undefined) return lost
    }
    return undefined
  }
  const id = (shown as { id?: string } | null)?.id ?? shown
  return Object.is(canonicalText(print(sent)), canonicalText(print(id))) ? undefined : path
}

// These are not fields of the record, or cannot be compared.
const comparable = (sent: Record<string, unknown>, shown: Record<string, unknown>) =>
  Object.entries(sent).filter(([name, value]) => Object.hasOwn(shown, name) && !isEmptyObject(value))
const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0 && !Array.isArray(value)

/** Makes the check of an answer against the OpenAPI document, and against rules for all answers. */
export function createChecks(api: Interface, knowledge: Knowledge, publicUrl: string) {
  const checkBody = createBodyCheck(api.document as unknown as Parameters<typeof createBodyCheck>[0])

  // The document has no requests outside operations. Their problems need a page, which is requested last.
  const isNamed = (type: string, codes: string[] | undefined) => {
    const code = type.replace(`${publicUrl}/problems/`, '')
    if (codes) return codes.includes(code)
    api.problems.add(code)
    return /^[a-z-]+$/.test(code)
  }

  function checkProblem(call: Call, answer: Answer, problem: Problem, codes: string[] | undefined): string[] {
    const words = [problem.detail, ...(problem.errors ?? []).map(({ field }) => field)].join(' ')
    const nonsense = /\bundefined\b|\[object|\bNaN\b|\bat \S+ \(|node_modules/.exec(words.replaceAll(pathOf(call), ''))
    const allowed = answer.headers.get('allow')?.split(', ')
    return [
      ...(isNamed(problem.type, codes) ? [] : [`the problem ${problem.type} is not one that the document names`]),
      ...(problem.status === answer.status ? [] : [`the problem says ${problem.status}`]),
      ...(problem.instance.startsWith('/') ? [] : [`instance ${problem.instance.slice(0, 50)} is no path`]),
      ...(nonsense && !call.target.includes(nonsense[0]) ? [`a detail says ${nonsense[0]}`] : []),
      ...(answer.body.length > largestProblem ? ['the problem is larger than 128 KiB'] : []),
      ...(answer.status === 405 && allowed?.includes(call.method) !== false
        ? ['405 for a method that Allow names']
        : []),
    ]
  }

  // These headers come with only some of the answers of a status.
  const isOptional = (name: string, { status, headers }: Answer) =>
    ['Link', 'Dry-Run', 'Idempotent-Replayed', 'Preference-Applied', 'Accept-Patch', 'Accept-Post'].includes(name) ||
    (name === 'Retry-After' && status === 409) ||
    (name === 'ETag' && headers.has('dry-run'))

  // The headers that the document has for the answer.
  function checkHeaders(answer: Answer, documented: Operation['responses'][string]): string[] {
    return Object.entries(documented.headers ?? {}).flatMap(([name, { schema }]) => {
      const value = answer.headers.get(name.toLowerCase())
      if (value === undefined) return isOptional(name, answer) ? [] : [`the header ${name} is missing`]
      return schema.type === 'integer' && !/^\d+$/.test(value) ? [`the header ${name} is ${value}`] : []
    })
  }

  function checkSuccess(call: Call, answer: Answer, body: Json): string[] {
    const violations: string[] = []
    const location = answer.headers.get('location')
    const id = (body.data as { id?: string } | undefined)?.id
    if (location !== undefined) {
      const ids = location.split('/').filter((each) => /[0-9a-f]{8}-/i.test(each))
      if (
        !api.match('GET', location) ||
        ids.at(-1) !== id ||
        ids.some((each) => !/^[a-z]{3}_[0-9a-f-]{36}$/.test(each))
      )
        violations.push('Location is not the path of the record')
    }
    if (call.sent && typeof body.data === 'object') {
      const shown = body.data as Record<string, unknown>
      for (const [name, value] of comparable(call.sent, shown)) {
        const lost = findLost(value, shown[name], name)
        // A text of the default locale may be in two places.
        if (lost !== undefined) violations.push(`the value written to ${lost} is not in the answer`)
      }
    }
    return violations
  }

  function checkAddresses(answer: Answer, body: unknown): string[] {
    const strange = [
      ...textsIn(body),
      ...Array.from((answer.headers.get('link') ?? '').matchAll(/<([^>]*)>/g), ([, url]) => url!),
    ].filter((text) => /^https?:/i.test(text) && text !== publicUrl && !text.startsWith(`${publicUrl}/`))
    const named = [...answer.headers].filter(([, value]) => value.includes(foreignHost))
    return [
      ...(strange.length > 0 ? [`the address ${strange[0]!.slice(0, 60)} is not ours`] : []),
      ...(named.length > 0 ? [`the header ${named[0]![0]} names a foreign host`] : []),
    ]
  }

  function checkSecrecy(call: Call, answer: Answer, text: string): string[] {
    const house = call.holder.may === 'nothing' ? undefined : call.holder.house
    const request = bytesOf(call).toString('latin1').toLowerCase()
    const own = canonicalAddress(request)
    const foreign = knowledge.findForeign(canonicalAddress(text), house, own)
    const marks = houses.filter(
      (each) => each !== house && text.includes(markOf(each)) && !request.includes(markOf(each).toLowerCase()),
    )
    const links = answer.headers.get('link') ?? ''
    return [
      ...(foreign === undefined ? [] : [`the id ${foreign} belongs to another house`]),
      ...(marks.length > 0 ? [`a text of the house ${marks[0]} is shown`] : []),
      ...(houses.some((each) => each !== house && links.includes(markOf(each))) && marks.length > 0
        ? ['Link shows another house']
        : []),
    ]
  }

  function checkKept(call: Call, answer: Answer): string[] {
    if (answer.status !== 304) return []
    const given = call.headers.find(([name]) => name === 'If-None-Match')?.[1]
    if (given === undefined) return pathOf(call).startsWith('/media/') ? [] : ['304 without a condition']
    const address = taggedAddress(call.target)
    const isOwn = given === '*' || knowledge.isTagOf(given, call.holder.house, address)
    return isOwn || pathOf(call).startsWith('/media/') ? [] : ['304 for the ETag of another address']
  }

  function checkServerError(call: Call, { status }: Answer, problem: Partial<Problem> | undefined): string[] {
    if (status < 500) return []
    // An answer to HEAD does not name its problem.
    const code = problem?.type?.split('/').at(-1) ?? (call.method === 'HEAD' && status === 500 ? 'HEAD' : 'no problem')
    const isPlanted = call.holder.house === defective && pathOf(call).startsWith('/api/v2')
    if (isPlanted && (code === 'integrity-unavailable' || code === 'HEAD')) return []
    return [`${status} ${code}`]
  }

  /** Checks one answer to a call. */
  return function check(call: Call, answer: Answer, limited: boolean): Verdict {
    const operation = call.broken ? undefined : api.match(call.method, pathOf(call))
    const violations: string[] = []
    const type = answer.headers.get('content-type')?.split(';', 1)[0]
    const text = answer.body.toString()
    let body: unknown
    try {
      if (type?.endsWith('json') && answer.body.length > 0) body = JSON.parse(text)
    } catch {
      violations.push('the body is not JSON')
    }
    const { status } = answer
    const expected = [...(call.expected ?? []), ...(limited ? [429] : [])]
    if (call.expected && !expected.includes(status))
      violations.push(`${status} instead of ${call.expected.join(' or ')}`)
    if (answer.milliseconds > 10_000) violations.push('slower than ten seconds')
    if (answer.body.length > largestAnswer) violations.push('larger than 32 MiB')
    if (!answer.headers.has('request-id')) violations.push('the header Request-Id is missing')
    const documented = operation?.responses[status]
    const head = call.method === 'HEAD'
    if (operation) {
      // A refusal by the HTTP parser is not documented for an operation.
      if (!documented && !(status === 400 && call.bytes)) violations.push(`${status} is not documented`)
      if (documented && !(status === 400 && call.bytes)) violations.push(...checkHeaders(answer, documented))
      if (documented && !head && status !== 204 && status !== 304) {
        try {
          checkBody({ name: operation.name, responses: operation.responses }, status, type ?? '', body)
        } catch (error) {
          violations.push(`the body is not as documented: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 150)}`)
        }
      }
    } else if (
      status < 300 &&
      call.target.startsWith('/api/v2/') &&
      !call.target.includes('openapi.json') &&
      !call.broken
    ) {
      violations.push(`${status} for a path without an operation`)
    }
    if (status >= 400 && !head) {
      if (type !== 'application/problem+json' || typeof (body as Problem | undefined)?.type !== 'string')
        violations.push(`${status} without a problem`)
      else
        violations.push(
          ...checkProblem(
            call,
            answer,
            body as Problem,
            documented && !call.bytes ? problemsIn(documented) : undefined,
          ),
        )
    }
    violations.push(...checkServerError(call, answer, body as Problem | undefined))
    violations.push(...checkKept(call, answer), ...checkAddresses(answer, body))
    if (call.target.startsWith('/api/v2') || status >= 400) violations.push(...checkSecrecy(call, answer, text))
    if (operation && status < 300 && body !== undefined) violations.push(...checkSuccess(call, answer, body as Json))
    return { operation, violations, body: body as Json | undefined }
  }
}
