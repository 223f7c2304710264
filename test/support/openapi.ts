type Document = { paths: Record<string, Record<string, object>>; components: object }
type Reference = { $ref: string }

const isReference = (value: object): value is Reference => '$ref' in value

/**
 * Replaces references to parameters, answers, headers and bodies by their targets. References to records stay in
 * answers, because records refer to each other.
 */
export function inlineComponents<T extends object>(document: T): T {
  const { paths, components } = document as Document
  const find = ({ $ref }: Reference) =>
    $ref
      .split('/')
      .slice(2)
      .reduce((at, name) => (at as Record<string, object>)[name]!, components)

  function inline(value: unknown, isAnswer: boolean): unknown {
    if (Array.isArray(value)) return value.map((each) => inline(each, isAnswer))
    if (typeof value !== 'object' || value === null) return value
    if (isReference(value)) {
      const isSchema = value.$ref.startsWith('#/components/schemas/')
      return isAnswer && isSchema ? find(value) : inline(find(value), isAnswer)
    }
    const entries = Object.entries(value)
    return Object.fromEntries(entries.map(([name, each]) => [name, inline(each, isAnswer || name === 'responses')]))
  }

  return { ...document, paths: inline(paths, false) }
}
