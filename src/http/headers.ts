import type { FastifyRequest } from 'fastify'

/** Whether a request has a header twice. The framework shows only the first, or joins both. */
export function repeatsHeader({ raw }: FastifyRequest, name: string): boolean {
  return raw.rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === name).length > 1
}
