import { createBodyCheck } from '../../test/support/contract.ts'
import { bytesOf, pathOf, type Call } from './call.ts'
import type { Answer } from './connection.ts'
import { problemsIn, type Interface, type Operation } from './document.ts'
import { defective, houses, markOf } from './houses.ts'
import { findLost, textsIn } from './lost.ts'
import { canonicalAddress, taggedAddress, type Knowledge } from './knowledge.ts'
import { foreignHost } from './tricks/trick.ts'

type Problem = { type: string; status: number; instance: string; detail: string; errors?: { field: string }[] }
type Json = { data?: unknown; next_cursor?: string | null }
// What must not be so, and how it is told.
type Rules = [isViolated: unknown, text: string][]

const largestProblem = 128 * 1024
const largestAnswer = 32 * 1024 * 1024

// These come with only some of the answers of a status.
const optional = ['Link', 'Dry-Run', 'Idempotent-Replayed', 'Preference-Applied', 'Accept-Patch', 'Accept-Post']

// The violations in an answer, and its JSON if that is valid.
type Verdict = { operation: Operation | undefined; violations: string[]; body: Json | undefined }

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

  function rulesOfProblem(call: Call, answer: Answer, problem: Problem, codes: string[] | undefined): Rules {
    const words = [problem.detail, ...(problem.errors ?? []).map(({ field }) => field)].join(' ')
    const nonsense = /\bundefined\b|\[object|\bNaN\b|\bat \S+ \(|node_modules/.exec(words.replaceAll(pathOf(call), ''))
    const isAllowed = answer.headers.get('allow')?.split(', ').includes(call.method) !== false
    return [
      [!isNamed(problem.type, codes), `the problem ${problem.type} is not one that the document names`],
      [problem.status !== answer.status, `the problem says ${problem.status}`],
      [!problem.instance.startsWith('/'), `instance ${problem.instance.slice(0, 50)} is no path`],
      [nonsense && !call.target.includes(nonsense[0]), `a detail says ${nonsense?.[0]}`],
      [answer.body.length > largestProblem, 'the problem is larger than 128 KiB'],
      [answer.status === 405 && isAllowed, '405 for a method that Allow names'],
    ]
  }

  // The headers that the document has for the answer.
  function rulesOfHeaders({ status, headers }: Answer, documented: Operation['responses'][string]): Rules {
    const isOptional = (name: string) =>
      optional.includes(name) ||
      (name === 'Retry-After' && status === 409) ||
      (name === 'ETag' && headers.has('dry-run'))
    return Object.entries(documented.headers ?? {}).flatMap(([name, { schema }]): Rules => {
      const value = headers.get(name.toLowerCase())
      return [
        [value === undefined && !isOptional(name), `the header ${name} is missing`],
        [value !== undefined && schema.type === 'integer' && !/^\d+$/.test(value), `the header ${name} is ${value}`],
      ]
    })
  }

  function rulesOfSuccess({ sent, target }: Call, { headers }: Answer, { data }: Json): Rules {
    const location = headers.get('location')
    const ids = location?.split('/').filter((each) => /[0-9a-f]{8}-/i.test(each)) ?? []
    const isPath = location === undefined || (api.match('GET', location) && ids.at(-1) === (data as { id?: string }).id)
    // A text of the default locale may be in two places.
    const lost = sent && typeof data === 'object' ? findLost(sent, data as Record<string, unknown>) : []
    // What a search asks for need not be a field.
    const { pathname, searchParams } = new URL(target, publicUrl)
    const filters = pathname.endsWith('/search') ? {} : Object.fromEntries(searchParams)
    const ignored = Array.isArray(data)
      ? data.flatMap((each) => findLost(filters, each as Record<string, unknown>))
      : []
    return [
      [!isPath || ids.some((id) => !/^[a-z]{3}_[0-9a-f-]{36}$/.test(id)), 'Location is not the path of the record'],
      ...lost.map((name): Rules[number] => [true, `the value written to ${name} is not in the answer`]),
      ...ignored.map((name): Rules[number] => [true, `the list has a record that its filter ${name} excludes`]),
    ]
  }

  function rulesOfAddresses({ headers }: Answer, body: unknown): Rules {
    const linked = Array.from((headers.get('link') ?? '').matchAll(/<([^>]*)>/g), ([, url]) => url!)
    const strange = [...textsIn(body), ...linked].find(
      (text) => /^https?:/i.test(text) && text !== publicUrl && !text.startsWith(`${publicUrl}/`),
    )
    const named = [...headers].find(([, value]) => value.includes(foreignHost))
    return [
      [strange, `the address ${strange?.slice(0, 60)} is not ours`],
      [named, `the header ${named?.[0]} names a foreign host`],
    ]
  }

  // Nothing of another house, unless the request itself has it.
  function rulesOfSecrecy(call: Call, { headers }: Answer, text: string): Rules {
    const house = call.holder.may === 'nothing' ? undefined : call.holder.house
    const request = bytesOf(call).toString('latin1').toLowerCase()
    const foreign = knowledge.findForeign(canonicalAddress(text), house, canonicalAddress(request))
    const shown = text + (headers.get('link') ?? '')
    const isShown = (each: string, mark: string) => each !== house && shown.includes(mark)
    const marked = houses.find((each) => isShown(each, markOf(each)) && !request.includes(markOf(each).toLowerCase()))
    return [
      [foreign, `the id ${foreign} belongs to another house`],
      [marked, `a text of the house ${marked} is shown`],
    ]
  }

  function rulesOfKept(call: Call, { status }: Answer): Rules {
    if (status !== 304 || pathOf(call).startsWith('/media/')) return []
    const given = call.headers.find(([name]) => name === 'If-None-Match')?.[1]
    const isOwn = given === '*' || knowledge.isTagOf(given ?? '', call.holder.house, taggedAddress(call.target))
    return [[!isOwn, given === undefined ? '304 without a condition' : '304 for the ETag of another address']]
  }

  function rulesOfServerError(call: Call, { status }: Answer, problem: Partial<Problem> | undefined): Rules {
    // An answer to HEAD does not name its problem.
    const code = problem?.type?.split('/').at(-1) ?? (call.method === 'HEAD' && status === 500 ? 'HEAD' : 'no problem')
    const isPlanted = call.holder.house === defective && pathOf(call).startsWith('/api/v2')
    return [[status >= 500 && !(isPlanted && /^(integrity-unavailable|HEAD)$/.test(code)), `${status} ${code}`]]
  }

  function findFault(operation: Operation, status: number, type: string, body: unknown): string | undefined {
    try {
      checkBody({ name: operation.name, responses: operation.responses }, status, type, body)
    } catch (error) {
      return `the body is not as documented: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 150)}`
    }
    return undefined
  }

  /** Checks one answer to a call. */
  return function check(call: Call, answer: Answer, limited: boolean): Verdict {
    const { status, headers } = answer
    const operation = call.broken ? undefined : api.match(call.method, pathOf(call))
    const type = headers.get('content-type')?.split(';', 1)[0] ?? ''
    const text = answer.body.toString()
    let body: unknown
    let isJson = true
    try {
      if (type.endsWith('json') && text !== '') body = JSON.parse(text)
    } catch {
      isJson = false
    }
    const isHead = call.method === 'HEAD'
    // A refusal by the HTTP parser is not documented for an operation.
    const isParsers = status === 400 && call.bytes
    const documented = operation?.responses[status]
    const hasBody = !isHead && status !== 204 && status !== 304
    const fault = operation && documented && hasBody ? findFault(operation, status, type, body) : undefined
    const isProblem = type === 'application/problem+json' && typeof (body as Problem | undefined)?.type === 'string'
    const isOfNone = !operation && !call.broken && /^\/api\/v2\/(?!.*openapi\.json)/.test(call.target)
    const rules: Rules = [
      [!isJson, 'the body is not JSON'],
      [
        call.expected && ![...call.expected, limited ? 429 : 0].includes(status),
        `${status} instead of ${call.expected?.join(' or ')}`,
      ],
      [answer.milliseconds > 10_000, 'slower than ten seconds'],
      [text.length > largestAnswer, 'larger than 32 MiB'],
      [!headers.has('request-id'), 'the header Request-Id is missing'],
      [operation && !documented && !isParsers, `${status} is not documented`],
      [fault, fault!],
      [isOfNone && status < 300, `${status} for a path without an operation`],
      [status >= 400 && !isHead && !isProblem, `${status} without a problem`],
      ...(documented && !isParsers ? rulesOfHeaders(answer, documented) : []),
      ...(status >= 400 && !isHead && isProblem
        ? rulesOfProblem(call, answer, body as Problem, documented && !call.bytes ? problemsIn(documented) : undefined)
        : []),
      ...rulesOfServerError(call, answer, body as Problem | undefined),
      ...rulesOfKept(call, answer),
      ...rulesOfAddresses(answer, body),
      ...(call.target.startsWith('/api/v2') || status >= 400 ? rulesOfSecrecy(call, answer, text) : []),
      ...(operation && status < 300 && body !== undefined ? rulesOfSuccess(call, answer, body as Json) : []),
    ]
    const violations = rules.flatMap(([isViolated, text]) => (isViolated ? [text] : []))
    return { operation, violations, body: body as Json | undefined }
  }
}
