const longest = 80

/**
 * The slug of a title: ASCII, lower case, words joined by hyphens, at most 80 characters. A title without a letter or digit
 * gets `fallback`.
 */
export function slugify(title: string, fallback = 'auction'): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  return words.replace(/^-/, '').slice(0, longest).replace(/-$/, '') || fallback
}

/** The slug itself if it is free, otherwise the first free one of `base-2`, `base-3` and so on. */
export function chooseSlug(taken: ReadonlySet<string>, base: string): string {
  if (!taken.has(base)) return base
  for (let number = 2; ; number++) {
    const slug = `${base}-${number}`
    if (!taken.has(slug)) return slug
  }
}
