import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import type { createProject } from './project.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let runs = 0

/** Runs the program of the tests in a project with the client, and checks what it found in the catalogue. */
export async function runProgram(project: Project, command: string[], settings: Record<string, string>): Promise<void> {
  await cp(path.join(import.meta.dirname, 'program.js'), path.join(project.folder, 'program.js'))
  const name = `${command.map((word) => path.basename(word)).join(' ')} ${++runs}`
  const printed = await project.run(command, ['program.js', JSON.stringify({ ...settings, name })])
  assert.deepEqual(
    JSON.parse(printed),
    { lots: 2, kind: 'timed', low: 40_000, missing: 'not-found', uploads: true, progress: true, same: true },
    name,
  )
}
