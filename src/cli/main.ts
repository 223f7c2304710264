import { Command } from 'commander'

// A command loads only what it needs, which makes it start sooner and take less memory.
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  load: async () => (await import('./load.ts')).loadCommand,
  houses: async () => (await import('./houses.ts')).housesCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  auctions: async () => (await import('./auctions.ts')).auctionsCommand,
  sessions: async () => (await import('./sessions.ts')).sessionsCommand,
  lots: async () => (await import('./lots.ts')).lotsCommand,
  bids: async () => (await import('./bids.ts')).bidsCommand,
  jobs: async () => (await import('./jobs.ts')).jobsCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
}
const name = process.argv[2] ?? ''
const named = Object.hasOwn(commands, name) ? commands[name] : undefined
const program = new Command('catalogue').description('The catalogue service of auction houses.')
for (const command of named ? [named] : Object.values(commands)) program.addCommand(await command())

// Who reads the output may leave early; what a command or the service does goes on.
process.stderr.on('error', () => undefined)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`error: it is done, but its output cannot be written: ${error.message}\n`)
  process.exitCode = 1
})

try {
  await program.parseAsync()
} catch (error) {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  process.stderr.write(`error: ${message.split('\n', 1)[0]}\n`)
  process.exitCode = 1
}
