import type { Permission, Write } from '../context.ts'
import type { ProblemCode } from '../problems.ts'
import type { Forms } from './encoding/forms.ts'
import type { Credentials } from './access/authentication.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The house and permissions of the request's key. Every request below /api/v2 has them. */
    credentials: Credentials
    /** Idempotency, precondition and dry run of a write; undefined for a read. */
    write: Write | undefined
    /** Frees the slot of the request; undefined while it has none, such as during the arrival of its body. */
    freeSlot: (() => void) | undefined
  }

  interface FastifyReply {
    /** The encoded forms that are kept with the body; `none` if it goes out unencoded. */
    forms: Forms | 'none' | undefined
  }

  interface FastifyContextConfig {
    /** The permissions of the operation, in the order of the specification (write before read). */
    permissions?: readonly Permission[]
    /** A permission that is enough alone, in place of `permissions`. */
    orPermission?: Permission
    /** The additional permissions of each value of `expand[]`. */
    expands?: Readonly<Record<string, readonly Permission[]>>
    /** The values of `expand[]` whose answers have a weak ETag, which matches no `If-Match`. */
    weakens?: readonly string[]
    /** The permissions of each value of `types[]`. Without the parameter, any one of them is enough. */
    types?: Readonly<Record<string, readonly Permission[]>>
    /** The additional permissions of each value of `facets[]`. */
    facets?: Readonly<Record<string, readonly Permission[]>>
    /** The additional permissions of parameters, whatever their values. */
    filters?: Readonly<Record<string, readonly Permission[]>>
    /** The media type of the body. An operation without it takes no body. */
    accepts?: 'application/json' | 'multipart/form-data'
    /** The status of a successful write. Default: 200. */
    status?: 201 | 202 | 204
    /** Set if a change takes no `If-Match` and its answer has no ETag, because it changes several records. */
    guarded?: false
    /** Whether a refusal by the state of records names all of them, because the body has a list of records. */
    bulk?: true
    /** Whether the answer has signed URLs. */
    signs?: true
    /** The problems of this operation, in addition to those of all operations. */
    problems?: readonly ProblemCode[]
  }
}
