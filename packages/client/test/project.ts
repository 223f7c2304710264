import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../../..')
const source = path.join(import.meta.dirname, '..')

/** The TypeScript of this checkout. */
export const typescript = path.join(root, 'node_modules/tsc/bin/tsc')

/** Makes an empty project with the client installed from the file that `npm pack` makes. */
export async function createProject() {
  const folder = await mkdtemp(path.join(tmpdir(), 'client-package-'))
  const [built, project] = [path.join(folder, 'built'), path.join(folder, 'project')]
  await mkdir(project)
  await mkdir(built)
  await cp(path.join(source, 'package.json'), path.join(built, 'package.json'))
  await cp(path.join(source, 'README.md'), path.join(built, 'README.md'))
  const tsconfig = path.join(source, 'tsconfig.build.json')
  await run(process.execPath, [typescript, '-p', tsconfig, '--outDir', path.join(built, 'dist')])
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: built })
  const tarball = path.join(
    folder,
    (await readdir(folder)).find((name) => name.endsWith('.tgz'))!,
  )
  await writeFile(path.join(project, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })

  const write = (name: string, text: string) => writeFile(path.join(project, name), text)
  return {
    folder: project,
    tarball,
    installed: path.join(project, 'node_modules/@auction-catalogue/client'),
    write,
    /** Checks the types of the client's use, with this compiler and module resolution. */
    async checkTypes(compiler: string, resolution: 'nodenext' | 'bundler') {
      const uses = await readFile(path.join(import.meta.dirname, 'types.ts'), 'utf8')
      await write('types.ts', uses.replace('../src/index.ts', '@auction-catalogue/client'))
      const compilerOptions = {
        module: resolution === 'bundler' ? 'esnext' : 'nodenext',
        moduleResolution: resolution,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
      }
      await write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['types.ts'] }))
      await run(process.execPath, [compiler, '-p', project]).catch((error: { stdout: string }) => {
        throw new Error(`${compiler} with ${resolution}: ${error.stdout}`)
      })
    },
    /** Compiles files for Node, beside them. They may use the types of Node. */
    async compile(...files: string[]) {
      const checks = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom', '--strict', '--skipLibCheck']
      const types = ['--typeRoots', path.join(root, 'node_modules/@types'), '--types', 'node']
      const words = [typescript, ...checks, '--ignoreConfig', ...types, ...files]
      await run(process.execPath, words, { cwd: project }).catch((error: { stdout: string }) => {
        throw new Error(error.stdout)
      })
    },
    /** Runs a program of the project, and returns its output. */
    async run(command: string[], words: string[], env: Record<string, string> = {}): Promise<string> {
      const [file, ...first] = command as [string, ...string[]]
      return (await run(file, [...first, ...words], { cwd: project, env: { ...process.env, ...env } })).stdout
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
