import type { Permission } from '../context.ts'
import type { Database } from '../db/pool.ts'
import type { MediaStore } from '../media/store.ts'
import type { ProblemCode } from '../problems.ts'
import type { Keyrings } from '../secret.ts'
import type { createAnswers } from '../response/cache.ts'
import type { Credentials } from './authentication.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What all requests share. */
    site: {
      db: Database
      keyrings: Keyrings
      publicUrl: string
      media: MediaStore
      answers: ReturnType<typeof createAnswers>
    }
  }

  interface FastifyRequest {
    /** Whom the key of the request speaks for; set for every request below /api/v2. */
    credentials: Credentials
    /** Frees the slot that the request has; undefined while it has none, as while its body comes in. */
    freeSlot: (() => void) | undefined
  }

  interface FastifyContextConfig {
    /** What the operation needs, in the order in which the specification names it (write before read). */
    permissions?: readonly Permission[]
    /** What each value of `expand[]` needs on top of that. */
    expands?: Readonly<Record<string, readonly Permission[]>>
    /** The media type of the body; operations without it take no body. */
    accepts?: 'application/json' | 'multipart/form-data'
    /** The problems of this operation beyond those that all have. */
    problems?: readonly ProblemCode[]
  }
}
