// What this device keeps of a house until it is stored, or 30 days have passed.
const longest = 30 * 24 * 60 * 60 * 1000
const begin = 'unsaved '
const nameOf = (house: string, name: string) => `${begin}${JSON.stringify(house)} ${name}`

/** What was typed, and when it was typed last, in milliseconds since 1970. */
export type Lasting<T> = { typed: T; at: number }

const listNames = (start: string) => Object.keys(localStorage).filter((each) => each.startsWith(start))

for (const name of listNames(begin)) {
  const { at } = JSON.parse(localStorage.getItem(name)!) as Lasting<unknown>
  if (Date.now() - at > longest) localStorage.removeItem(name)
}

/** What this device keeps of a house under a name, or null. */
export const readLasting = <T>(house: string, name: string): Lasting<T> | null =>
  JSON.parse(localStorage.getItem(nameOf(house, name)) ?? 'null') as Lasting<T> | null

/** Keeps what was typed, or drops it with null. */
export function writeLasting(house: string, name: string, typed: object | null): void {
  // In a full storage nothing newer is kept, but what is typed stays on the page.
  try {
    if (typed === null) localStorage.removeItem(nameOf(house, name))
    else localStorage.setItem(nameOf(house, name), JSON.stringify({ typed, at: Date.now() } satisfies Lasting<object>))
  } catch {}
}

/** Drops all that this device keeps of a house; of every house, if it is not known. */
export function dropLasting(house: string | undefined): void {
  for (const name of listNames(house === undefined ? begin : nameOf(house, ''))) localStorage.removeItem(name)
}
