import type { FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { Write } from '../context.ts'
import { createGuard, isGuarded } from './preconditions.ts'
import './types.ts'

/** Whether a method writes. */
export const isWrite = (method: unknown) => method === 'POST' || method === 'PATCH' || method === 'DELETE'

const ifMatch = Type.Optional(
  Type.String({
    description:
      'The ETag of the version that the change is meant for, with any `expand[]` (of a gallery: the ETag of its item), a list of them, or `*`. If the record has another one by now, the answer is 412.',
  }),
)

/** Adds to a route that writes the headers and parameters that all of them take. */
export function declareWrite(route: RouteOptions): void {
  if (!isWrite(route.method)) return
  route.schema = { ...route.schema, headers: Type.Object({ ...(isGuarded(route.method) && { 'If-Match': ifMatch }) }) }
}

/**
 * What a request asks of its write besides the change.
 * @throws Problem invalid-parameter if a header of it cannot be read
 */
export function createWrite(request: FastifyRequest): Write {
  return { guard: createGuard(request) }
}
