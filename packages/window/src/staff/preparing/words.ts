import { CatalogueError } from '@auction-catalogue/client'
import type { StaffTexts } from '../texts/en.ts'

/** Writes what gives a record its reference. Throws a text if another record has it. */
export async function takeReference<T>(
  write: () => Promise<T>,
  { referenceTaken }: StaffTexts['preparing'],
): Promise<T> {
  return write().catch((error: unknown) => {
    throw error instanceof CatalogueError && error.code === 'duplicate-reference' ? referenceTaken : error
  })
}
