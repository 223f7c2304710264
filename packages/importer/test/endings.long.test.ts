import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { until } from '../../../test/support/pictures.ts'
import { findPort } from '../../../test/support/process.ts'
import { itemsOf, openHouse } from './house.ts'
import { startImporter } from './program.ts'
import { openProxy } from './proxy.ts'

const house = await openHouse()
after(() => house.close())

const unauthorized = {
  type: '/problems/unauthorized',
  title: 'Unauthorized',
  status: 401,
  detail: 'The key is not valid.',
}

test('an invalid key ends a run of hundreds of rows with one sentence and the report', async () => {
  const path = await house.write('stranger.ndjson', [house.house, ...itemsOf('stranger', 300)])
  for (const mode of ['plan', 'apply', 'verify']) {
    const { code, stdout, stderr } = await startImporter('ack_nobody', [mode, path, '--url', house.url]).outcome
    assert.equal(code, 2)
    assert.match(stderr, /^catalogue-import: [^\n]*key[^\n]*\n$/i)
    assert.match(stdout, /requests$/m)
  }
})

test('a key that is revoked during a run ends it with a report of what was done', async () => {
  const path = await house.write('revoked.ndjson', [house.house, ...itemsOf('revoked', 300)])
  const url = await openProxy(house.url, (count, reply) => {
    if (count < 60) return 'passed'
    reply.writeHead(401, { 'content-type': 'application/problem+json' }).end(JSON.stringify(unauthorized))
    return 'intercepted'
  })
  const { code, stdout, stderr } = await startImporter(house.key, ['apply', path, '--url', url]).outcome
  assert.equal(code, 1, stdout + stderr)
  assert.equal(stderr, 'catalogue-import: The key is not valid.\n')
  assert.match(stdout, /^created: \d+ items$/m)
  assert.doesNotMatch(stdout, /rejected/)
  assert.match((await house.run('apply', path)).stdout, /^unchanged: \d+ items$/m)
})

test('Ctrl-C ends a run that waits for an absent service, and the waiting line has address, reason and Ctrl-C', async () => {
  const path = await house.write('away.ndjson', [house.house, ...itemsOf('away', 5)])
  const url = `http://127.0.0.1:${await findPort()}`
  const run = startImporter(house.key, ['apply', path, '--url', url, '--json'])
  let printed = ''
  run.stdout!.on('data', (text) => (printed += text))
  await until(async () => {
    assert.equal(run.exitCode, null, printed)
    return printed.includes(`waiting for ${url} (connection refused), Ctrl-C ends`)
  })
  run.kill('SIGINT')
  const { code, stdout, stderr } = await run.outcome
  assert.equal(code, 2)
  assert.equal(stderr, 'catalogue-import: interrupted: go on with apply --resume\n')
  assert.match(stdout, /"event":"report"/)
})

/** Whether Ctrl-C has not reached the process yet. A second one would count as the same. */
async function isPending(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number.parseInt(/^ShdPnd:\s*(\w+)$/m.exec(status)![1]!.slice(-1), 16) & 2) > 0
}

test('a second Ctrl-C ends a run at once, with its report', async () => {
  const path = await house.write('twice.ndjson', [house.house, ...itemsOf('twice', 50)])
  let held = 0
  const url = await openProxy(house.url, (count) => {
    if (count <= 70) return 'passed'
    held++
    return 'held'
  })
  const run = startImporter(house.key, ['apply', path, '--url', url])
  await until(async () => {
    assert.equal(run.exitCode, null)
    return held > 0
  })
  run.kill('SIGINT')
  await until(async () => !(await isPending(run.pid!)))
  assert.equal(run.exitCode, null)
  run.kill('SIGINT')
  const { code, stdout, stderr } = await run.outcome
  assert.equal(code, 1, stdout + stderr)
  assert.match(stdout, /^created: \d+ items$/m)
  assert.match(stderr, /interrupted: go on with apply --resume\n$/)
})
