import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { listJobs } from '../../src/jobs/jobs.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { tasks } from './jobs.ts'
import { areas } from '../../src/media/object-keys.ts'
import type { TestService } from './service.ts'

/** A part of a form: a text, or a file. */
export type Part = [name: string, value: string | Buffer, filename?: string]

/** A multipart body with its content type. */
export function form(...parts: Part[]): { headers: { 'content-type': string }; body: Buffer } {
  const boundary = `----${randomUUID()}`
  const chunks = parts.flatMap(([name, value, filename]) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '\r\n\r\n' : `; filename="${filename}"\r\nContent-Type: image/jpeg\r\n\r\n`,
    value,
    '\r\n',
  ])
  const body = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk as string)))
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}

/** A small JPEG of one colour. */
export function picture(background = '#336699', width = 40, height = 30): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

/** A value of JSON without the signatures of private files, which change every second. */
export const unsigned = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/\?expires=[^"]*/g, ''))

/** Every file of the store. */
export async function storedFiles(media: TestService['media']): Promise<string[]> {
  const keys: string[] = []
  for (const area of areas) for await (const { key } of media.list(area)) keys.push(key)
  return keys.toSorted()
}

const silent = { error() {}, warn() {}, info() {}, debug() {} }

/** Runs the jobs of the queue until none is due. */
export async function workOff(service: Pick<TestService, 'db' | 'pool' | 'media'>): Promise<void> {
  const worker = await startWorker(service, tasks, silent)
  const busy = async () =>
    (await listJobs(service.db, { failed: false })).some(
      ({ state, run_at }) => state === 'running' || (state === 'waiting' && Date.parse(run_at) <= Date.now()),
    )
  try {
    await until(async () => !(await busy()))
  } finally {
    await worker.stop()
  }
}

/** Waits until the condition holds, however long that takes. If it may never hold, the condition throws the reason. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}
