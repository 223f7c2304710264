type Document = { paths: Record<string, Record<string, object>>; components: object }
type Reference = { $ref: string }

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && '$ref' in value

/**
 * Puts parameters, answers, headers and the bodies of requests in the place of the references to them. References to
 * records stay, since records name each other.
 */
export function inlineComponents<T extends object>(document: T): T {
  const { paths, components } = document as Document
  const find = ({ $ref }: Reference) =>
    $ref
      .split('/')
      .slice(2)
      .reduce((at, name) => (at as Record<string, object>)[name]!, components)

  function inline(value: unknown, isRecord: boolean): unknown {
    if (Array.isArray(value)) return value.map((each) => inline(each, isRecord))
    if (typeof value !== 'object' || value === null) return value
    if (isReference(value)) {
      if (!value.$ref.startsWith('#/components/schemas/')) return inline(find(value), false)
      return isRecord ? value : inline(find(value), /(?:Page|Response)$/.test(value.$ref))
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inline(each, isRecord)]))
  }

  return { ...document, paths: inline(paths, false) }
}
