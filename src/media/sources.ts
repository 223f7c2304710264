/** The size of a source in pixels. */
export type SourceSize = { width: number; height: number }

/** The widths of the sources of a large picture, in pixels. */
const widths = [480, 960, 1600, 2560]
const greatest = widths.at(-1)!

// The longest side of a WebP.
const mostPixels = 16_383

/** How sources are encoded (docs/decisions/0031-sources.md). */
export const sourceQuality = { quality: 86 }

/**
 * The sizes of the sources of an upright original, narrowest first (section 2.4): none is wider than the original, and a
 * narrow original has its own width too. A size that is too high for a WebP is left out.
 */
export function sizeSources(width: number, height: number): SourceSize[] {
  const fitting = widths.filter((each) => each < width)
  return [...fitting, Math.min(width, greatest)]
    .filter((each, at, all) => all.indexOf(each) === at)
    .map((each) => ({ width: each, height: Math.max(1, Math.round((height * each) / width)) }))
    .filter((size) => size.height <= mostPixels)
}
