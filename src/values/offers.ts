import { locales } from './locales.ts'

/** What can become of a lot. */
export const resultStates = ['sold', 'unsold', 'withdrawn'] as const

/** One of them. */
export type ResultState = (typeof resultStates)[number]

/**
 * What has become of an item: in no unarchived lot; in one without a result; else in one that is sold; else unsold or
 * withdrawn. Each item has one of them.
 */
export const offers = ['never', 'open', 'unsold', 'sold'] as const

/** One of them. */
export type Offered = (typeof offers)[number]

/** What an item can lack: a public image, both bounds of its estimate, all texts in a language. */
export const lackable = ['image', 'estimate', ...locales] as const

/** One of them. */
export type Missing = (typeof lackable)[number]
