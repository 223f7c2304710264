import { createSlots } from '../server/slots.ts'
import { encoders, type Coding } from './codings.ts'

// Pictures are decoded and files are read by the same four threads. Each body takes a few milliseconds.
const mostInPool = 4
const mostWaiting = 200
const turns = createSlots(mostInPool, mostWaiting)

async function encodeInPool(body: Buffer, coding: Coding, client: string): Promise<Buffer | undefined> {
  try {
    const free = await turns.take(client)
    return await encoders[coding].encodeInPool(body).finally(free)
  } catch {
    return undefined
  }
}

function encodeNow(body: Buffer, coding: Coding): Buffer | undefined {
  try {
    return encoders[coding].encode(body)
  } catch {
    return undefined
  }
}

// What this turn of the event loop has spent of its 2.5 milliseconds, from 0 to 1, and what waits for the next turns. A turn
// ends before the other callbacks of `setImmediate`, so one pass of the loop may have parts of two.
let spent = 0
let isEnding = false
const waiting: { share: number; begin: () => void }[] = []

function awaitEnd(): void {
  if (!isEnding) setImmediate(endTurn)
  isEnding = true
}

function endTurn(): void {
  while (waiting.length > 0 && spent + waiting[0]!.share <= 1) {
    const { share, begin } = waiting.shift()!
    spent += share
    begin()
  }
  spent = 0
  isEnding = false
  if (waiting.length > 0) awaitEnd()
}

/**
 * Encodes a body: at once, in one of the next turns of the event loop if this one has encoded enough, or in the thread
 * pool if the body is long. There clients take turns by name. Undefined if too many wait, or if memory is short.
 */
export function encode(body: Buffer, coding: Coding, client: string): Buffer | undefined | Promise<Buffer | undefined> {
  const share = body.length / encoders[coding].longestAtOnce
  if (share > 1) return encodeInPool(body, coding, client)
  awaitEnd()
  if (waiting.length === 0 && spent + share <= 1) {
    spent += share
    return encodeNow(body, coding)
  }
  return new Promise<void>((begin) => waiting.push({ share, begin })).then(() => encodeNow(body, coding))
}
