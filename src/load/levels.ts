import type { Scope } from '../context.ts'
import { tooDeep } from '../references/made.ts'
import { findLevels } from '../references/statements.ts'
import { mostLevels } from '../values/bounds.ts'
import type { Batch } from './batch.ts'

/** Records a problem for every category that stands too deep. The batch has its targets. */
export async function noteLevels(tx: Scope, batch: Batch): Promise<void> {
  const lines = batch.of('category')
  const parents = new Set(lines.flatMap(({ targets }) => targets['parent'] ?? []))
  if (parents.size === 0) return
  const levels = await findLevels(tx, [...parents])
  for (const line of lines) {
    const level = 1 + (levels.get(line.targets['parent'] ?? '') ?? 0)
    if (level > mostLevels) batch.note(line, 'parent', tooDeep)
    levels.set(line.id, level)
  }
}
