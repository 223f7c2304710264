import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

/** A content coding (RFC 9110, section 8.4.1), by its name in HTTP. */
export type Coding = 'zstd' | 'br' | 'gzip'

type Encoder = {
  /** The end of the ETag of an answer in this coding, inside the quotes. */
  suffix: string
  /** Up to this length, in bytes, a body takes at most 2.5 milliseconds, even one that hardly becomes shorter. */
  longestAtOnce: number
  encode(body: Buffer): Buffer
  encodeInPool(body: Buffer): Promise<Buffer>
}

const { BROTLI_PARAM_QUALITY, ZSTD_c_compressionLevel } = zlib.constants
// Many pieces would be put together on the event loop.
const inFewPieces = ({ length }: Buffer) => ({ chunkSize: Math.ceil(length / 2) })

const gzip = { level: 2 }
const br = { params: { [BROTLI_PARAM_QUALITY]: 1 } }
const zstd = { params: { [ZSTD_c_compressionLevel]: 1 } }

/** How bodies are encoded. A higher setting takes twice as long for a tenth less (docs/performance.md). */
export const encoders: Record<Coding, Encoder> = {
  zstd: {
    suffix: '.zst',
    longestAtOnce: 512 * 1024,
    encode: (body) => zlib.zstdCompressSync(body, zstd),
    encodeInPool: (body) => promisify(zlib.zstdCompress)(body, { ...zstd, ...inFewPieces(body) }),
  },
  br: {
    suffix: '.br',
    longestAtOnce: 512 * 1024,
    encode: (body) => zlib.brotliCompressSync(body, br),
    encodeInPool: (body) => promisify(zlib.brotliCompress)(body, { ...br, ...inFewPieces(body) }),
  },
  gzip: {
    suffix: '.gz',
    longestAtOnce: 128 * 1024,
    encode: (body) => zlib.gzipSync(body, gzip),
    encodeInPool: (body) => promisify(zlib.gzip)(body, { ...gzip, ...inFewPieces(body) }),
  },
}

/** The codings of this Node, the best one first. Node 20 has no Zstandard. */
const offered: readonly Coding[] = (['zstd', 'br', 'gzip'] as const).filter(
  (coding) => coding !== 'zstd' || 'zstdCompress' in zlib,
)

/** The coding of these that an `Accept-Encoding` prefers; undefined if it prefers none, or accepts none of them. */
function negotiate<Choice extends Coding>(header: string, codings: readonly Choice[]): Choice | undefined {
  const available = [...codings, 'identity']
  // The types of the library lack its second parameter.
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as {
    encodings(available: string[], options: { preferred: string[] }): string[]
  }
  const [best] = negotiator.encodings(available, { preferred: available })
  return codings.find((coding) => coding === best)
}

// Clients are of few kinds, and send one short header each.
const longestKept = 100
const chosen = new LRUCache<string, { coding: Coding | undefined }>({ max: 100 })

/**
 * The best coding of these for a client with this `Accept-Encoding` (RFC 9110, section 12.5.3). `codings`: the best
 * one first. Undefined: the body goes out as it is.
 */
export function chooseCodingOf<Choice extends Coding>(
  codings: readonly Choice[],
  header: string | string[] | undefined,
): Choice | undefined {
  // Node joins repeated headers of this name.
  return typeof header === 'string' ? negotiate(header, codings) : undefined
}

/** The best coding of this Node for a client with this `Accept-Encoding`. Undefined: the body goes out as it is. */
export function chooseCoding(header: string | string[] | undefined): Coding | undefined {
  if (typeof header !== 'string') return undefined
  const known = chosen.get(header)
  if (known) return known.coding
  const coding = negotiate(header, offered)
  if (header.length <= longestKept) chosen.set(header, { coding })
  return coding
}

/** The ETag of the answer in a coding: that of the plain answer with a suffix inside its quotes. */
export const withCoding = (etag: string, coding: Coding) => etag.replace(/"$/, `${encoders[coding].suffix}"`)

/** The coding that an ETag names; undefined if it is that of the plain answer. */
export const codingOf = (etag: string) =>
  (Object.keys(encoders) as Coding[]).find((coding) => etag.endsWith(`${encoders[coding].suffix}"`))

const suffixes = new RegExp(
  `(?:${Object.values(encoders)
    .map(({ suffix }) => suffix.replace('.', '\\.'))
    .join('|')})"`,
  'g',
)

/** The ETags of a header, each as that of the plain answer. */
export const withoutCodings = (etags: string) => etags.replaceAll(suffixes, '"')
