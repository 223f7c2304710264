import type { FastifyRequest } from 'fastify'
import { allKinds, kinds, recordKinds } from '../kinds.ts'
import { Problem } from '../problems.ts'
import { parseId, printId, type PrefixedKind } from '../values/ids.ts'

/**
 * The UUID of a path's id.
 * @throws Problem not-found if it is malformed or of another kind (section 2.1)
 */
export function pathId(kind: PrefixedKind, text: string): string {
  const uuid = parseId(kind, text)
  if (uuid === undefined) throw new Problem('not-found', 'There is no such record.')
  return uuid
}

/** The path of the request's route, or that of the request if it has no route. A client may write a path in many ways. */
export const routedPath = ({ routeOptions, url }: FastifyRequest) =>
  routeOptions.url ?? decodeURI(url.split('?', 1)[0]!)

/**
 * The UUIDs of the ids in a path, by the names of its parameters.
 * @throws Problem not-found as `pathId` does
 */
export function idsOfPath({ routeOptions, params }: FastifyRequest): Record<string, string> {
  const texts = params as Record<string, string>
  const named = Array.from(routeOptions.url!.matchAll(/\/(\w+)\/:(\w+)/g), ([, plural, name]) => {
    const kind = allKinds.find((each) => kinds[each].plural === plural)!
    return [name!, pathId(kind, texts[name!]!)] as const
  })
  return Object.fromEntries(named)
}

/**
 * The canonical path of a collection: the id of its parent has its prefix and is in lower case.
 * @throws Problem not-found as `pathId` does
 */
export function printPath({ routeOptions, params }: FastifyRequest): string {
  const ids = params as Record<string, string>
  return routeOptions.url!.replace(/\/(\w+)\/:(\w+)(?=\/)/, (_, plural: string, name: string) => {
    const kind = recordKinds.find((each) => kinds[each].plural === plural)
    // A bid has no prefix of its own.
    return `/${plural}/${kind === undefined ? ids[name]! : printId(kind, pathId(kind, ids[name]!))}`
  })
}
