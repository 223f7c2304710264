import { Catalogue, type CatalogueOptions } from '@auction-catalogue/client'
import { connection } from './connection.ts'

// A page outlives every fault, so its requests do too; they end when the user leaves the page. A recent answer that has
// not changed is not sent again.
export const patient = { retries: Infinity, longestWait: 5, remember: 40_000_000 }

/** A catalogue of a key. */
export const createCatalogue = (key: string, options: Partial<CatalogueOptions>) =>
  new Catalogue({ url: location.origin, key, fetch: connection.observe(key), ...options })

let current: { key: string; catalogue: Catalogue } | undefined

/** The catalogue of the signed-in key. */
export function catalogue(): Catalogue {
  // A page that the user leaves by signing out may still ask: the service refuses this key.
  const key = connection.key ?? 'none'
  if (current?.key !== key) current = { key, catalogue: createCatalogue(key, patient) }
  return current.catalogue
}

/**
 * Asks the service whether a key is valid.
 * @throws CatalogueError
 */
export const tryKey = (key: string) => createCatalogue(key, { retries: 0 }).discover()

/**
 * The house of any key.
 * @throws CatalogueError
 */
export const readHouse = (key: string, signal: AbortSignal) => createCatalogue(key, patient).house({ signal })
