import { after } from 'node:test'

const opened: { close(): Promise<unknown> }[] = []
// A hook of the file, because the hooks of a suite do not run if none of its tests is chosen.
after(() => Promise.all(opened.map((each) => each.close())))

/** Closes a stage or a desk after the tests of the file. */
export function closeAfterwards(stage: { close(): Promise<unknown> }): void {
  opened.push(stage)
}
