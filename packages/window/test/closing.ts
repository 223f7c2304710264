import { closeInTheEnd } from '../../../test/support/ending.ts'

/** Closes a stage or a desk after the tests of its process: the hooks of a suite do not run if none of its tests is chosen. */
export const closeAfterwards = (stage: { close(): Promise<unknown> }) => closeInTheEnd(() => stage.close())
