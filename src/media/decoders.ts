import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { temporarilyUnavailable } from '../problems.ts'
import type { Rendition } from './object-keys.ts'
import type { mediaTypes } from './formats.ts'
import type { SourceSize } from './sources.ts'

// Pictures are decoded in processes whose memory the operating system bounds. The memory for a picture depends on its
// format, depth, layers and library, and no table could be right about all of them. A picture that ends its decoder
// ends nothing else, and a decoder's memory holds no secret of the service.

/** What a decoder does with a local file, and the result. */
export type Decoded = {
  inspect: { type: (typeof mediaTypes)[keyof typeof mediaTypes]; width: number; height: number }
  derive: {
    width: number
    height: number
    renditions: Record<Rendition, Buffer>
    sources: (SourceSize & { data: Buffer })[]
    placeholder: string
  }
}
/** The name of a task of a decoder. */
export type Task = keyof Decoded

/** A task for a local file. `widest`: the width of the widest source that is made. */
export type Job = { task: Task; path: string; widest: number }

/** Why a picture is refused. */
export type Refusal = 'unsupported' | 'unreadable' | 'too-large'

/** A refusal, a value, or an error of the file system. */
export type Reply =
  | { value: Decoded[Task] }
  | { refusal: Refusal; message: string }
  | { message: string; code: string | undefined }

// The MiB that a picture may add to the memory of a decoder at rest: one of two pictures at once, and one alone.
const memory = { shared: 126, alone: 304 } as const
type Share = keyof typeof memory
const turns = { shared: 1, alone: 2 } as const

const program = path.join(import.meta.dirname, `decoder${path.extname(import.meta.filename)}`)
const idleMilliseconds = 10_000
const longestMilliseconds = 90_000
const kibibytes = 1024
// A decoder refuses a bad picture, or exhausts its own memory. It is killed only if the machine lacks memory.
const mostKills = 2

// In its own session, because a signal of the terminal could end it before it handles signals.
function start(limit: number): ChildProcess {
  const script = `ulimit -c 0; ${Number.isFinite(limit) ? `ulimit -d ${limit}; ` : ''}exec "$@"`
  return fork(program, {
    execPath: '/bin/sh',
    execArgv: ['-c', script, 'sh', process.execPath, '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { MALLOC_ARENA_MAX: '2' },
    detached: true,
  })
}

/** The first message of a decoder; undefined if it ends before, or cannot be started. */
async function firstMessage(decoder: ChildProcess): Promise<{ atRest: number } | undefined> {
  const ended = once(decoder, 'exit').then(() => [])
  const [message] = await Promise.race([once(decoder, 'message'), ended]).catch(() => [])
  return message as { atRest: number } | undefined
}

// Its memory is free only after its end.
async function end(decoder: ChildProcess): Promise<void> {
  if (decoder.exitCode !== null || decoder.signalCode !== null) return
  decoder.ref()
  const ended = once(decoder, 'exit')
  decoder.kill('SIGKILL')
  await ended
}

// Node.js reserves different amounts on different machines.
let atRest: Promise<number | undefined> | undefined
async function measure(): Promise<number | undefined> {
  const decoder = start(Infinity)
  try {
    const message = await firstMessage(decoder)
    if (message === undefined) atRest = undefined
    return message?.atRest
  } finally {
    await end(decoder)
  }
}

/** A decoder that waits for a picture; undefined if it could not be started. */
async function open(share: Share): Promise<ChildProcess | undefined> {
  atRest ??= measure()
  const least = await atRest
  if (least === undefined) return undefined
  const decoder = start(least + memory[share] * kibibytes)
  return (await firstMessage(decoder)) && decoder
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

const idle: ChildProcess[] = []

async function endIdle(decoder: ChildProcess): Promise<void> {
  const at = idle.indexOf(decoder)
  if (at === -1) return
  idle.splice(at, 1)
  await end(decoder)
}

function keepIdle(decoder: ChildProcess): void {
  idle.push(decoder)
  decoder.unref()
  decoder.channel?.unref()
  decoder.once('exit', () => void endIdle(decoder))
  setTimeout(() => void endIdle(decoder), idleMilliseconds).unref()
}

type Answer = Reply | 'killed' | undefined

/** The decoder's answer; undefined if the picture ended it, probably because memory was short. */
async function ask(decoder: ChildProcess, job: Job): Promise<Answer> {
  if (!isAlive(decoder)) return 'killed'
  let late = false
  const timer = setTimeout(() => {
    late = true
    decoder.kill('SIGKILL')
  }, longestMilliseconds)
  try {
    return await new Promise<Answer>((resolve) => {
      decoder.once('message', (reply) => resolve(reply as Reply))
      decoder.once('exit', (_code, signal) => {
        if (late) resolve({ refusal: 'unreadable', message: 'The picture takes too long to decode.' })
        else resolve(signal === 'SIGKILL' ? 'killed' : undefined)
      })
      // A send fails only if the decoder has ended. Its `exit` event follows.
      decoder.send(job, (error) => error && decoder.kill('SIGKILL'))
    })
  } finally {
    clearTimeout(timer)
    decoder.removeAllListeners('message').removeAllListeners('exit')
  }
}

async function askOnce(decoder: ChildProcess, share: Share, job: Job): Promise<Answer> {
  decoder.removeAllListeners('exit')
  decoder.ref()
  decoder.channel?.ref()
  try {
    return await ask(decoder, job)
  } finally {
    if (share === 'shared' && isAlive(decoder)) keepIdle(decoder)
    else await end(decoder)
  }
}

async function work(share: Share, job: Job): Promise<Reply | undefined> {
  if (share === 'alone') while (idle[0]) await endIdle(idle[0])
  for (let kills = 0; kills < mostKills;) {
    const reused = idle.pop()
    const decoder = reused ?? (await open(share))
    const answer = decoder === undefined ? 'killed' : await askOnce(decoder, share, job)
    if (answer !== 'killed') return answer
    // An idle decoder may have ended before this process noticed.
    if (!reused) kills += 1
  }
  throw temporarilyUnavailable('The operating system ends the processes that decode pictures.', 5)
}

type Waiter = { house: string; round: number; turns: number; start: () => void }
const waiting: Waiter[] = []
let round = 0
let free = 2

// In the order of rounds: each round has one picture of each house.
function queue(house: string, turns: number, start: () => void): void {
  const last = waiting.findLast((each) => each.house === house)
  const own = last ? last.round + 1 : round
  const at = waiting.findIndex((each) => each.round > own)
  waiting.splice(at === -1 ? waiting.length : at, 0, { house, round: own, turns, start })
}

function startNext(): void {
  const next = waiting[0]
  if (next === undefined || next.turns > free) return
  waiting.shift()
  free -= next.turns
  round = next.round
  next.start()
  startNext()
}

async function waitForTurn(share: Share, house: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((begin, reject) => {
    const leave = () => {
      waiting.splice(
        waiting.findIndex((each) => each.start === start),
        1,
      )
      reject(signal!.reason as Error)
      startNext()
    }
    const start = () => {
      signal?.removeEventListener('abort', leave)
      begin()
    }
    signal?.addEventListener('abort', leave)
    queue(house, turns[share], start)
    startNext()
  })
}

async function decodeIn(
  share: Share,
  house: string,
  job: Job,
  signal: AbortSignal | undefined,
): Promise<Reply | undefined> {
  await waitForTurn(share, house, signal)
  try {
    return await work(share, job)
  } finally {
    free += turns[share]
    startNext()
  }
}

/**
 * Queues a local file of a house for a decoder; undefined if the picture needs more memory than a decoder has. If the
 * decoder is killed, the picture gets another one, once.
 * @throws Problem temporarily-unavailable if the second is killed too; the signal's reason when it aborts before a decoder
 * has begun
 */
export async function decode(house: string, job: Job, signal?: AbortSignal): Promise<Reply | undefined> {
  return (await decodeIn('shared', house, job, signal)) ?? decodeIn('alone', house, job, signal)
}
