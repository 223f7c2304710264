import { readdirSync } from 'node:fs'
import { defineConfig, type OxlintOverride } from 'oxlint'

// Allowed imports: for each room of src/, the rooms that its files may import. A room is a folder, or a file in src/
// itself. All other imports are refused. A room may import only rooms that stand before it, so there are no circles.
const base = ['kinds', 'values', 'context', 'problems']
const belowResources = [...base, 'db', 'http', 'reads', 'writes']
const resources = ['houses', 'references', 'auctions', 'sessions', 'items', 'lots', 'images', 'journal', 'sales']
const onTop = [...belowResources, 'jobs', 'media', ...resources, 'search', 'settings']

const rooms: Record<string, readonly string[]> = {
  kinds: [],
  values: ['kinds'],
  problems: ['values'],
  sentences: ['values', 'problems'],
  settings: [],
  db: ['values', 'settings'],
  context: ['values', 'db'],
  http: [...base, 'sentences', 'db'],
  media: ['problems', 'settings'],
  reads: [...base, 'db', 'http', 'media', 'settings'],
  writes: [...base, 'db', 'http', 'reads'],
  jobs: ['values', 'context', 'db', 'media'],
  // The JSON of auctions and sessions, which may contain each other.
  documents: ['context', 'reads'],
  houses: [...belowResources, 'jobs'],
  references: [...belowResources, 'sentences'],
  auctions: [...belowResources, 'documents'],
  sessions: [...belowResources, 'documents', 'auctions'],
  items: [...belowResources, 'jobs', 'houses'],
  lots: [...belowResources, 'sentences', 'jobs', 'documents', 'houses', 'sessions', 'items'],
  images: [...belowResources, 'jobs', 'media', 'houses', 'items'],
  journal: [...belowResources, 'jobs', 'houses'],
  sales: [...belowResources, 'jobs', 'auctions', 'sessions', 'lots'],
  openapi: [...base, 'http', 'reads', 'writes', 'items'],
  changes: [...belowResources, 'jobs', 'houses', 'references', 'auctions', 'sessions', 'items', 'lots', 'images'],
  search: [...belowResources, 'items', 'lots', 'changes'],
  load: [...base, 'db', 'jobs', 'media', 'writes', 'items', 'images', 'houses', 'references'],
  backup: ['db', 'houses', 'images', 'media', 'writes'],
  export: [...base, 'db', 'images', 'items', 'media', 'reads', 'load', 'backup'],
  demo: [...belowResources, 'jobs', 'media', 'houses', 'lots', 'images', 'load', 'settings'],
  staff: [...belowResources, 'references', 'auctions', 'sessions', 'items', 'lots', 'journal', 'sales'],
  doctor: [...base, 'db', 'jobs', 'media', 'reads', 'houses', 'images', 'changes', 'settings'],
  tasks: ['settings', 'changes', 'demo', 'houses', 'images', 'items', 'jobs', 'journal', 'lots'],
  window: ['problems', 'http'],
  app: [...onTop, 'changes', 'openapi', 'staff', 'window'],
  running: ['values', 'app', 'db', 'http', 'images', 'jobs', 'media', 'settings', 'window'],
  cli: [...onTop, 'sentences', 'load', 'backup', 'export', 'demo', 'doctor', 'tasks', 'running'],
}

for (const name of readdirSync(new URL('src', import.meta.url)).map((name) => name.replace(/(?:\.test)?\.ts$/, '')))
  if (!Object.hasOwn(rooms, name)) throw new Error(`src/${name} is a room without a line in oxlint.config.ts`)

const names = Object.keys(rooms)
for (const [index, name] of names.entries())
  for (const below of rooms[name]!)
    if (names.indexOf(below) >= index) throw new Error(`src/${name} may import src/${below}, but stands above it`)

const packages = {
  pg: { group: ['pg', 'pg/**', 'pg-*'], message: 'pg appears only in db/.' },
  process: { group: ['process', 'node:process'], message: 'process.env is read only in settings/config.ts.' },
  kysely: {
    group: ['kysely', 'kysely/**'],
    message:
      'SQL stands in *queries.ts, *statements.ts, locks.ts, document.ts, fields.ts, touch.ts, backup/, reads/, documents/, search/, writes/ and db/.',
  },
  fastify: {
    group: ['fastify', 'fastify/**', '@fastify/*'],
    message: 'Fastify appears only in app.ts, http/, reads/, writes/, openapi/, staff/ and routes.ts.',
  },
}
const usesFastify = ['app', 'http', 'reads', 'writes', 'openapi', 'staff']

// The files of a resource that hold SQL. locks.ts and touch.ts have what other resources do to its rows.
const homes = ['queries', '*-queries', 'statements', '*-statements', 'locks', 'document', 'fields', 'touch']
// In these rooms every file may hold SQL. A backup copies every table.
const roomsOfSql = ['db', 'reads', 'writes', 'documents', 'search', 'backup']
// These only call: they have no SQL, and import no statements or routes of any room.
const callers = ['staff', 'cli']
const builders = ['selectFrom', 'selectNoFrom', 'insertInto', 'updateTable', 'deleteFrom', 'executeQuery']

// Of another resource a room imports its verbs, locks, schema and document. Some rooms import more of it: sales/, say,
// composes the statements of sessions and lots.
const inner = { queries: ['queries', '*-queries'], statements: ['statements', '*-statements'], routes: ['routes'] }
const more: Record<string, readonly (keyof typeof inner)[]> = {
  ...Object.fromEntries(['sales', 'load', 'backup', 'export', 'demo'].map((room) => [room, ['queries', 'statements']])),
  ...Object.fromEntries(['search', 'changes', 'doctor', 'staff', 'cli'].map((room) => [room, ['queries']])),
  app: ['routes'],
}

function restrict(
  files: string[],
  room: string,
  options: { steps: string; routes?: true; sql?: true },
): OxlintOverride {
  const allowed = new Set([...rooms[room]!, room])
  const refused = Object.keys(rooms).filter((other) => !allowed.has(other))
  const closed = Object.entries(inner).flatMap(([part, files]) =>
    more[room]?.some((open) => open === part) ? [] : files,
  )
  const sql = roomsOfSql.includes(room) || (options.sql && !callers.includes(room))
  const patterns = [
    ...(room === 'db' ? [] : [packages.pg]),
    packages.process,
    ...(sql ? [] : [packages.kysely]),
    ...(usesFastify.includes(room) || options.routes ? [] : [packages.fastify]),
    {
      group: (callers.includes(room) ? names : resources)
        .filter((other) => other !== room)
        .flatMap((other) => closed.map((file) => `${options.steps}${other}/**/${file}.ts`)),
      message: `${room} does not import this file of another room (oxlint.config.ts says what it may).`,
    },
    {
      group: [
        ...refused.flatMap((other) => [`${options.steps}${other}/**`, `${options.steps}${other}.ts`]),
        '**/src/**',
        '**/packages/**',
      ],
      message: `${room} does not import this (oxlint.config.ts says what it may).`,
    },
  ]
  const properties = builders.map((property) => ({ property, message: packages.kysely.message }))
  return {
    files,
    rules: {
      'no-restricted-imports': ['error', { patterns }],
      'no-restricted-properties': sql ? 'off' : ['error', ...properties],
    },
  }
}

const imports = Object.keys(rooms).flatMap((room) => [
  restrict([`src/${room}.ts`], room, { steps: './' }),
  ...[1, 2, 3, 4].flatMap((depth) => {
    const [folder, steps] = [`src/${room}/${'*/'.repeat(depth - 1)}`, '../'.repeat(depth)]
    return [
      restrict([`${folder}*.ts`], room, { steps }),
      restrict([`${folder}routes.ts`], room, { steps, routes: true }),
      restrict(
        homes.map((home) => `${folder}${home}.ts`),
        room,
        { steps, sql: true },
      ),
    ]
  }),
])

// A package uses the service from outside. The pattern depends on the depth of its files.
const packagesApart = [1, 2, 3].map((depth): OxlintOverride => {
  const group = [`${'../'.repeat(depth + 1)}src/**`, 'auction-catalogue', 'auction-catalogue/**']
  const patterns = [{ group, message: 'A package imports nothing of src/ (packages/README.md).' }]
  return { files: [`packages/${'*/'.repeat(depth)}*.ts`], rules: { 'no-restricted-imports': ['error', { patterns }] } }
})

const testFunctions = {
  from: 'package' as const,
  package: 'node:test',
  name: ['test', 'suite', 'describe', 'it', 'before', 'after', 'beforeEach', 'afterEach'],
}

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error' },
  // Includes the type errors of tsc for every tsconfig.json, from one reading of the program.
  options: { typeAware: true, typeCheck: true },
  rules: {
    'no-console': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': ['error', { allowForKnownSafeCalls: [testFunctions] }],
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
    'node/no-process-env': 'error',
    'no-shadow': 'off',
    'unicorn/consistent-function-scoping': 'off',
    // Threads have no origin.
    'unicorn/require-post-message-target-origin': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'no-await-in-loop': 'off',
  },
  overrides: [
    ...imports,
    ...packagesApart,
    { files: ['packages/*/test/**'], rules: { 'no-console': 'off', 'node/no-process-env': 'off' } },
    { files: ['src/settings/config.ts', 'packages/importer/src/main.ts'], rules: { 'node/no-process-env': 'off' } },
    {
      files: ['oxlint.config.ts', 'packages/*/vite.config.ts', 'test/support/reporter.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['src/**/*.test.ts', 'test/**', 'bench/**', 'chaos/**', 'generate/**', 'examples/**', 'acceptance/**'],
      rules: {
        'no-console': 'off',
        'node/no-process-env': 'off',
        'no-restricted-imports': 'off',
        'no-restricted-properties': 'off',
        'typescript/unbound-method': 'off',
      },
    },
    {
      files: ['acceptance/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [{ group: ['**/src/**'], message: 'The acceptance suite knows the product from outside only.' }],
          },
        ],
      },
    },
  ],
})
