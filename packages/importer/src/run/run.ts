import type { Catalogue } from '@auction-catalogue/client'
import type { Journal } from './journal.ts'
import type { House } from '../mapping/mapping.ts'
import type { LoadRecord, Place } from '../records.ts'
import type { Slots } from './slots.ts'

/** The mode of a run: compare and rehearse, write, or read back. */
export type Mode = 'plan' | 'apply' | 'verify'

/**
 * The outcome for a record. Sellers, makers and the like are `found` or `not found`. Staff must add a `missing` lot. The
 * interface has no place for a record that is `not carried`.
 */
export type Outcome = 'created' | 'changed' | 'same' | 'found' | 'not found' | 'missing' | 'not carried' | 'rejected'

/** The number of records of a type, by outcome. */
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

/** Pictures of an item that the source does not have: they were added by hand, or taken out of the source. */
export type Unnamed = { place: Place; pictures: string[] }

/** The state that all parts of a run share. */
export type Run = {
  mode: Mode
  /** Whether the run trusts the journal without asking the service. */
  isResumed: boolean
  catalogue: Catalogue
  directory: string
  journal: Journal
  slots: Slots
  /** Aborts requests and waits. */
  signal: AbortSignal
  /**
   * The house of the key, which the service is asked for once, when it is needed.
   * @throws Unusable if the service does not tell it
   */
  house: () => Promise<House>
  tell(done: Done): void
  tellUnnamed(unnamed: Unnamed): void
}
