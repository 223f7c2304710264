// The bounds that the interfaces and the load format share.

/** The bounds of an integer of 32 bits, such as a lot number or the number of a seller. */
export const int32 = { minimum: -2_147_483_648, maximum: 2_147_483_647 }

/** The most UTF-8 bytes of a name, a reference or another short text. */
export const shortBytes = 1024

/** The most UTF-8 bytes of a long text that is not an item's. */
export const longBytes = 64 * 1024

/** The most categories, and the most makers, of an item. */
export const mostLinks = 100

/** The most levels of categories below each other. */
export const mostLevels = 32

/** The most steps of an increment strategy. */
export const mostSteps = 1_000
