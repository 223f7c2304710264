import assert from 'node:assert/strict'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { removeAbandonedFolders } from './temporary.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-temporary-'))
process.env.TMPDIR = folder
after(() => rm(folder, { recursive: true }))

test('a start removes what this user’s processes left a day ago, and no folder of another user or that cannot be removed', async () => {
  const leave = async (name: string) => {
    const left = path.join(folder, `catalogue-media-${name}`)
    await mkdir(left)
    await writeFile(path.join(left, 'upload'), '')
    await utimes(left, new Date('2026-11-19T11:59:00Z'), new Date('2026-11-19T11:59:00Z'))
    return left
  }
  await leave('own')
  const locked = await leave('locked')
  await chmod(locked, 0o500)
  if (process.getuid?.() === 0) await chown(await leave('foreign'), 65534, 65534)
  await removeAbandonedFolders(new Date('2026-11-20T12:00:00Z'))
  const expected = process.getuid?.() === 0 ? ['catalogue-media-foreign'] : ['catalogue-media-locked']
  assert.deepEqual(await readdir(folder), expected)
  if (process.getuid?.() !== 0) await chmod(locked, 0o700)
})
