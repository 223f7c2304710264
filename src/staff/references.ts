import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { pathId } from '../http/path.ts'
import { kinds } from '../kinds.ts'
import { contextOf } from '../reads/context.ts'
import { wordsOf } from '../references/made.ts'
import { createReference, removeReference, updateReference } from '../references/references.ts'
import { bodies, madeKinds } from '../references/schema.ts'
import { IdParameters, single } from '../values/shapes.ts'
import { pascalCase } from '../values/text.ts'
import { sendWritten } from '../writes/writes.ts'

const tags = ['Reference records']

/** Sellers, categories, makers, delivery classes and consignments: made, changed and ended by staff. */
export const referenceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const kind of madeKinds) {
    const { plural, permission } = kinds[kind]
    const permissions = ['staff', permission] as const
    const [words, shape] = [wordsOf(kind), pascalCase(kind)]
    const deletes = 'deletes' in kinds[kind]
    app.post(
      `/${plural}`,
      {
        config: {
          status: 201,
          permissions,
          accepts: 'application/json',
          problems: ['duplicate-reference', 'validation-failed'],
        },
        schema: {
          operationId: `create${shape}`,
          summary: `Make a ${words}`,
          tags,
          body: bodies[kind].create,
          response: { 201: single(shape) },
        },
      },
      async (request, reply) =>
        sendWritten(request, reply, await createReference(contextOf(request), kind, request.body)),
    )
    app.patch(
      `/${plural}/:id`,
      {
        config: {
          permissions,
          accepts: 'application/json',
          problems: ['duplicate-reference', 'conflict', 'validation-failed'],
        },
        schema: {
          operationId: `change${shape}`,
          summary: deletes ? `Change a ${words}` : `Change a ${words}, or archive it`,
          tags,
          params: IdParameters,
          body: bodies[kind].change,
          response: { 200: single(shape) },
        },
      },
      async (request, reply) => {
        const uuid = pathId(kind, request.params.id)
        return sendWritten(request, reply, await updateReference(contextOf(request), kind, uuid, request.body))
      },
    )
    app.delete(
      `/${plural}/:id`,
      {
        config: { status: 204, permissions, problems: deletes ? ['conflict'] : [] },
        schema: {
          operationId: `delete${shape}`,
          summary: deletes ? `Delete a ${words} that nothing uses` : `Archive a ${words}`,
          description: deletes
            ? 'It is in use while an item, archived or not, or a child category names it.'
            : 'Its items stay as they are.',
          tags,
          params: IdParameters,
          response: { 204: Type.Unsafe<undefined>({ type: 'null' }) },
        },
      },
      async (request, reply) => {
        const uuid = pathId(kind, request.params.id)
        return sendWritten(request, reply, await removeReference(contextOf(request), kind, uuid))
      },
    )
  }
}
