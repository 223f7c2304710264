// What an answer must have before a method reads it. The fields of a record are not checked: more may come.

type Fields = Record<string, unknown>

/** Whether the value is an object with fields. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether the answer has no body. */
export const isNothing = (body: unknown): boolean => body === undefined

/** Whether the answer has a record. */
export const hasRecord = (body: unknown): boolean => isObject(body) && isObject(body['data'])

/** Whether the answer has a list of records. */
export const hasRecords = (body: unknown): body is Fields =>
  isObject(body) && Array.isArray(body['data']) && body['data'].every(isObject)

/** Whether the answer is a page of a list. */
export const isPage = (body: unknown): body is Fields =>
  hasRecords(body) &&
  typeof body['has_more'] === 'boolean' &&
  (typeof body['next_cursor'] === 'string' || body['next_cursor'] === null)

/** Refuses a name that a program without types has misspelt, or put in the wrong argument. */
export function checkNames(method: string, query: object, names: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `${method} has no parameter "${unknown}": it has ${names.join(', ')}. A signal belongs in the second argument.`,
    )
}

/** Whether a body is a discovery document. */
export const isDiscovery = (body: unknown) => isObject(body) && isObject(body['house'])
