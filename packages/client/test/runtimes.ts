import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import type { createProject } from './project.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let runs = 0

/** Runs the test program in a project with the client, and checks its effect on the catalogue. */
export async function runProgram(project: Project, command: string[], settings: Record<string, string>): Promise<void> {
  await cp(path.join(import.meta.dirname, 'program.js'), path.join(project.folder, 'program.js'))
  const name = `${command.map((word) => path.basename(word)).join(' ')} ${++runs}`
  const printed = await project.run(command, ['program.js', JSON.stringify({ ...settings, name })])
  assert.deepEqual(
    JSON.parse(printed),
    {
      lots: 2,
      kind: 'timed',
      low: 40_000,
      staff: 'changeLot',
      missing: 'not-found',
      uploads: true,
      progress: true,
      same: true,
    },
    name,
  )
}
