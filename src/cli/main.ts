import { Command } from 'commander'
import { auctionsCommand } from './auctions.ts'
import { bidsCommand } from './bids.ts'
import { doctorCommand } from './doctor.ts'
import { housesCommand } from './houses.ts'
import { jobsCommand } from './jobs.ts'
import { keysCommand } from './keys.ts'
import { loadCommand } from './load.ts'
import { lotsCommand } from './lots.ts'
import { migrateCommand } from './migrate.ts'
import { serveCommand } from './serve.ts'
import { sessionsCommand } from './sessions.ts'

const program = new Command('catalogue')
  .description('The catalogue service of auction houses.')
  .addCommand(serveCommand)
  .addCommand(migrateCommand)
  .addCommand(loadCommand)
  .addCommand(housesCommand)
  .addCommand(keysCommand)
  .addCommand(auctionsCommand)
  .addCommand(sessionsCommand)
  .addCommand(lotsCommand)
  .addCommand(bidsCommand)
  .addCommand(jobsCommand)
  .addCommand(doctorCommand)

try {
  await program.parseAsync()
} catch (error) {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  process.stderr.write(`error: ${message.split('\n', 1)[0]}\n`)
  process.exitCode = 1
}
