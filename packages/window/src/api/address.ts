import { connection, isKey } from './connection.ts'

type Place = { href: string; state?: object }
const now: Place = { href: '/now' }
const show = ({ href, state }: Place) => history.replaceState(state ?? null, '', `/#${href}`)

// The page that a link with a key names.
let asked: { key: string; page: Place } | undefined

/** Shows the house of a key from a link, at the page that the link names. */
export function openHouse(key: string): void {
  show(asked?.key === key ? asked.page : now)
  if (key !== connection.key) connection.signIn(key)
}

/**
 * Moves a key from the fragment of the address, and of this entry of the tab's history, into the tab. If another key is
 * signed in, the key is only offered, and the tab stays at its place.
 */
export function takeKeyFromAddress(place = now): void {
  const [, key, page] = /^#key=([^&]*)(?:&page=(\/.*))?/.exec(location.hash) ?? []
  if (key === undefined) return
  asked = page === undefined ? undefined : { key, page: { href: page } }
  show(place)
  if (connection.key !== null && connection.key !== key) connection.change({ offered: key })
  else if (isKey(key)) openHouse(key)
  else connection.signOut('no-key')
}
