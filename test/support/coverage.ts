import { readFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

/**
 * Watches which functions are called from now on; `findUncalled` returns the functions of src/ that were not
 * called and whose text matches.
 */
export async function watchCalls() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false })

  return async function findUncalled(pattern: RegExp): Promise<string[]> {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    session.disconnect()
    const uncalled: string[] = []
    for (const { url, functions } of result) {
      const [, file] = /\/(src\/.*\.ts)$/.exec(url) ?? []
      if (file === undefined || file.endsWith('.test.ts')) continue
      const text = await readFile(fileURLToPath(url), 'utf8')
      for (const { functionName, ranges } of functions) {
        const { count, startOffset, endOffset } = ranges[0]!
        if (count > 0 || !pattern.test(text.slice(startOffset, endOffset))) continue
        const line = text.slice(0, startOffset).split('\n').length
        uncalled.push(`${file}:${line} ${functionName}`)
      }
    }
    return uncalled
  }
}
