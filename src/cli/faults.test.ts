import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../test/support/installation.ts'
import { findPort, runCommand, runProcess, startProcess } from '../../test/support/process.ts'

const installation = await createInstallation()
after(() => installation.remove())
const settings = { ...installation.settings, PORT: String(await findPort()) }

test('serve --faults makes faults for the demo, and for other houses only with an option that confirms it', async () => {
  const demo = await startProcess(settings, '--demo', '--faults', 'seven:1', '--json')
  const { url, key } = JSON.parse(demo.printed.split('\n').find((line) => line.startsWith('{"url"'))!) as {
    url: string
    key: string
  }
  const read = async () => {
    const reply = await fetch(`${url}/lots?limit=1`, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
    })
    return `${reply.status} ${reply.headers.get('content-length') === String((await reply.text()).length)}`
  }
  const seen = await Promise.allSettled(Array.from({ length: 12 }, read))
  assert.ok(
    seen.some((each) => each.status === 'rejected' || each.value.startsWith('503') || each.value.startsWith('429')),
  )
  assert.equal(await demo.stop(), 0)

  await installation.run(...'houses create echt --name Echt --locale nl --currency EUR'.split(' '))
  const refused = await runProcess(settings, 'serve', '--demo', '--faults', 'seven')
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /error: --faults makes requests fail.*--yes-trouble-in-production.*\n$/)
  const meant = await startProcess(settings, '--faults', 'seven', '--yes-trouble-in-production')
  assert.equal(await meant.stop(), 0)
})

test('--faults takes a seed with a rate from 0 to 1, and needs HTTP', async () => {
  for (const word of ['', 'seven:', 'seven:2', 'seven:-1', 'seven:x', ':0.5', 'a:b:0.5']) {
    const { code, stderr } = await runCommand(settings, 'serve', '--faults', word)
    assert.equal(code, 2, word)
    assert.match(stderr, /seed.*rate from 0 to 1/, word)
  }
  const { code, stderr } = await runProcess({ ...settings, WORKER: 'only' }, 'serve', '--faults', 'seven')
  assert.equal(code, 2)
  assert.match(stderr, /WORKER/)
})
