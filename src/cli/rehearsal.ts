import type { Context, Write } from '../context.ts'

class Rehearsed extends Error {}

const write: Write = {
  key: undefined,
  needsAnswer: true,
  isRehearsal: true,
  begin: async () => undefined,
  guard: async () => undefined,
  end: async (_, written) => {
    throw written instanceof Error ? written : new Rehearsed()
  },
}

/** Carries out a change with all of its checks, and takes it back. Throws what the change throws. */
export async function rehearse(context: Context, change: (context: Context) => Promise<unknown>): Promise<void> {
  await change({ ...context, write }).catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error
  })
}
