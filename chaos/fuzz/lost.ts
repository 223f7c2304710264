/** Every text in a value of JSON. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* textsIn(each)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One text for all forms of an id, a time and a number. A record stands for its id. */
function canonical(value: unknown): string {
  const id = isObject(value) && 'id' in value ? value['id'] : value
  const text = typeof id === 'string' ? id : JSON.stringify(id)
  if (/^([a-z]{3}_)?[0-9a-f-]{36}$/i.test(text)) return text.slice(-36).toLowerCase()
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return String(Math.floor(Date.parse(text) / 1000))
  return /^\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text
}

function isLost(sent: unknown, shown: unknown): boolean {
  if (sent === null || sent === undefined) return shown !== null && shown !== undefined
  if (Array.isArray(sent)) {
    const list = (values: unknown[]) => JSON.stringify(values.map(canonical).toSorted())
    return Array.isArray(shown) && list(sent) !== list(shown)
  }
  if (!isObject(sent)) return canonical(sent) !== canonical(shown ?? null)
  return Object.entries(sent).some(([name, each]) => isLost(each, (shown as Record<string, unknown> | null)?.[name]))
}

/** The fields of a body that the record in the answer has too, with another value. */
export const findLost = (sent: Record<string, unknown>, shown: Record<string, unknown>): string[] =>
  Object.keys(sent).filter((name) => {
    const isEmpty = isObject(sent[name]) && Object.keys(sent[name]).length === 0
    return Object.hasOwn(shown, name) && !isEmpty && isLost(sent[name], shown[name])
  })
