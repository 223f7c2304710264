import type { Catalogue } from '@auction-catalogue/client'
import type { Journal } from './journal.ts'
import type { LoadRecord, Place } from '../records.ts'
import type { Slots } from './slots.ts'

/** What is done: compare and rehearse, write, or read back. */
export type Mode = 'plan' | 'apply' | 'verify'

/**
 * What became of a record. Sellers, makers and the like are found or not; a missing lot is one that staff has to add; what is
 * not carried has no place in the interface.
 */
export type Outcome = 'created' | 'changed' | 'same' | 'found' | 'not found' | 'missing' | 'not carried' | 'rejected'

/** How many records of a type had each outcome. */
export type Counts = Partial<Record<Outcome, number>>

/** A record that was created or changed, for the plan and the report. */
export type Done = {
  place: Place
  record: LoadRecord
  outcome: Outcome
  id?: string
  fields: string[]
  thumbnail?: string
}

/** Pictures of an item that the source does not name: they were added by hand, or taken out of the source. */
export type Unnamed = { place: Place; pictures: string[] }

/** What all parts of a run share. */
export type Run = {
  mode: Mode
  /** Whether the journal is believed without asking the service. */
  isResumed: boolean
  catalogue: Catalogue
  directory: string
  journal: Journal
  slots: Slots
  /** Ends requests, and waits. */
  signal: AbortSignal
  /** The language of the house, where the source names it. */
  locale: string | undefined
  tell(done: Done): void
  tellUnnamed(unnamed: Unnamed): void
}
