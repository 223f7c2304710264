const begun = Promise.withResolvers<void>()

/** Resolves once the changes are followed, or cannot be. */
export const whenFollowing = () => begun.promise
export const beginFollowing = () => begun.resolve()
