import type { Command } from 'commander'

/**
 * The commands, by their first word. A command imports only the modules that it needs: it starts sooner and takes less
 * memory. Completion needs all of them.
 */
export const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./operator/serve.ts')).serveCommand,
  migrate: async () => (await import('./operator/migrate.ts')).migrateCommand,
  load: async () => (await import('./operator/load.ts')).loadCommand,
  export: async () => (await import('./operator/export.ts')).exportCommand,
  houses: async () => (await import('./staff/houses.ts')).housesCommand,
  keys: async () => (await import('./staff/keys.ts')).keysCommand,
  strategies: async () => (await import('./staff/strategies.ts')).strategiesCommand,
  sellers: async () => (await import('./staff/references.ts')).sellersCommand,
  categories: async () => (await import('./staff/references.ts')).categoriesCommand,
  makers: async () => (await import('./staff/references.ts')).makersCommand,
  'delivery-classes': async () => (await import('./staff/references.ts')).deliveryClassesCommand,
  consignments: async () => (await import('./staff/references.ts')).consignmentsCommand,
  auctions: async () => (await import('./staff/sales/auctions.ts')).auctionsCommand,
  sessions: async () => (await import('./staff/sales/sessions.ts')).sessionsCommand,
  lots: async () => (await import('./staff/lots/lots.ts')).lotsCommand,
  images: async () => (await import('./operator/images.ts')).imagesCommand,
  items: async () => (await import('./staff/items.ts')).itemsCommand,
  bids: async () => (await import('./staff/lots/bids.ts')).bidsCommand,
  journal: async () => (await import('./staff/journal.ts')).journalCommand,
  jobs: async () => (await import('./operator/jobs.ts')).jobsCommand,
  backup: async () => (await import('./operator/backup.ts')).backupCommand,
  restore: async () => (await import('./operator/restore.ts')).restoreCommand,
  generation: async () => (await import('./operator/generation.ts')).generationCommand,
  doctor: async () => (await import('./operator/doctor.ts')).doctorCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
}
