// The bounds that the interfaces and the load format share.

/** The most UTF-8 bytes of a name, a reference or another short text. */
export const shortBytes = 1024

/** The most UTF-8 bytes of a long text that is not an item's. */
export const longBytes = 64 * 1024

/** The most categories, and the most makers, of an item. */
export const mostLinks = 100

/** The most steps of an increment strategy. */
export const mostSteps = 1_000
