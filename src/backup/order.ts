import { ArchiveError } from './archive.ts'
import { countersName, jobs, mediaFolder, parsePart, printPart } from './manifest.ts'

/**
 * Follows the entries behind the manifest: the parts of each table from the first on, in the order of the manifest,
 * then the jobs, the counters and the files.
 */
export function followOrder(tables: readonly string[]) {
  const sources = [...tables, jobs]
  let source = 0
  let part = 0
  let isCounted = false
  return {
    /**
     * Takes the name of the next entry.
     * @throws ArchiveError if a backup has another one there
     */
    take(name: string): void {
      const place = sources.indexOf(parsePart(name) ?? '')
      const next = place === source ? part + 1 : 1
      const isInOrder = isCounted
        ? name.startsWith(mediaFolder)
        : name === countersName || (place >= source && name === printPart(sources[place]!, next))
      if (!isInOrder) throw new ArchiveError(`the archive holds ${name}, which is no part of a backup at this place`)
      if (name === countersName) isCounted = true
      else if (!isCounted) [source, part] = [place, next]
    },
    /** @throws ArchiveError if entries are missing */
    end(): void {
      if (!isCounted) throw new ArchiveError(`the archive has no ${countersName}`)
    },
  }
}
