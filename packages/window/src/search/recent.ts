const kept = 'recent searches'
const most = 8

/** The latest searches of this tab that led to a lot, the last one first. */
export const listRecent = (): string[] => JSON.parse(sessionStorage.getItem(kept) ?? '[]') as string[]

/** Keeps a search that led to a lot, until the tab is closed or its user signs out. */
export function keepRecent(words: string): void {
  const others = listRecent().filter((each) => each !== words)
  sessionStorage.setItem(kept, JSON.stringify([words, ...others].slice(0, most)))
}
