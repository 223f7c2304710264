import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeArchive, restoreInto } from '../../test/support/backups.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { createMirror } from '../../test/support/mirror.ts'
import { startService, type TestService } from '../../test/support/service.ts'

const { slug, ids, lines } = catalogueOf(1)
const service = await startService({ records: lines })
const restored = await startService()
after(() => Promise.all([service.close(), restored.close()]))

test('after a restored backup older cursors are refused, and a mirror that starts again equals the restored catalogue', async () => {
  const key = await service.issueKey(slug)
  const ask =
    (from: TestService) =>
    async <T>(path: string): Promise<T> => {
      const reply = await from.get(`/api/v2${path}`, key)
      assert.equal(reply.statusCode, 200, reply.payload)
      return reply.json<T>()
    }
  const early = createMirror(ask(service))
  await early.follow()
  const write = (to: TestService, title: string) =>
    to.request({ method: 'PATCH', url: `/api/v2/items/${ids.item}`, key, body: { title } })
  // Marked, and not numbered yet.
  await write(service, 'Bewaard')
  const { archive } = await makeArchive(service)
  await write(service, 'Verloren')
  const late = createMirror(ask(service))
  await late.follow()

  await restoreInto(restored, archive)
  // The same revision, with other content.
  await write(restored, 'Anders')
  for (const { cursor } of [early, late])
    await restored.refused(`/api/v2/changes?after=${cursor()}`, key, 400, 'invalid-cursor')
  const again = createMirror(ask(restored))
  await again.follow()
  await again.prove()
  const [lost, present] = [late, again].map(({ records }) => records.get(`item ${ids.item}`)!)
  assert.match(present!.json, /Anders/)
  assert.notEqual(present!.version, lost!.version)
})
