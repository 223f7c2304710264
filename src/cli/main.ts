import { Command } from 'commander'
import { doctorCommand } from './doctor.ts'
import { housesCommand } from './houses.ts'
import { jobsCommand } from './jobs.ts'
import { keysCommand } from './keys.ts'
import { loadCommand } from './load.ts'
import { migrateCommand } from './migrate.ts'
import { serveCommand } from './serve.ts'

const program = new Command('catalogue')
  .description('The catalogue service of auction houses.')
  .showHelpAfterError('(--help says what it takes)')
  .addCommand(serveCommand)
  .addCommand(migrateCommand)
  .addCommand(loadCommand)
  .addCommand(housesCommand)
  .addCommand(keysCommand)
  .addCommand(jobsCommand)
  .addCommand(doctorCommand)

try {
  await program.parseAsync()
} catch (error) {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  process.stderr.write(`error: ${message.split('\n', 1)[0]}\n`)
  process.exitCode = 1
}
