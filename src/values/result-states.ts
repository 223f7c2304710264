/** What can become of a lot. */
export const resultStates = ['sold', 'unsold', 'withdrawn'] as const

/** One of them. */
export type ResultState = (typeof resultStates)[number]
