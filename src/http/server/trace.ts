import type { IncomingHttpHeaders } from 'node:http'

const zeros = /^0+$/

/** The trace id of a valid `traceparent` header (W3C Trace Context), else undefined. */
export function readTrace({ traceparent }: IncomingHttpHeaders): string | undefined {
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(String(traceparent))
  if (!parts) return undefined
  const [, version, trace, parent, rest] = parts
  // Later versions may append fields. Version ff is invalid.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  return zeros.test(trace!) || zeros.test(parent!) ? undefined : trace
}
