import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { comesBack, linesOf } from '../../test/support/exports.ts'
import { startService } from '../../test/support/service.ts'

// EXPORT_FILE names a load file, such as one that a program of examples/ has made of a real catalogue.
const file = process.env.EXPORT_FILE

test('each house of a load file comes back: the same file, answers and rows', { skip: !file }, async () => {
  const [source, target] = await Promise.all([1, 2].map(() => startService()))
  try {
    const lines = linesOf(await readFile(file!, 'utf8'))
    await source!.load(lines)
    for (const { slug } of lines.filter(({ type }) => type === 'house'))
      await comesBack(source!, target!, slug as string, 0, 300)
  } finally {
    await Promise.all([source!.close(), target!.close()])
  }
})
