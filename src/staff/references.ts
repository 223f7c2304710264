import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { kinds } from '../kinds.ts'
import { wordsOf } from '../references/made.ts'
import { createReference, removeReference, changeReference } from '../references/references.ts'
import { bodies, madeKinds } from '../references/schema.ts'
import { single } from '../values/shapes.ts'
import { pascalCase } from '../values/text.ts'
import { parsedByRule, serveWrite } from '../writes/operations.ts'

const tags = ['Reference records']

/** Sellers, categories, makers, delivery classes and consignments: made, changed and ended by staff. */
export const referenceRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const kind of madeKinds) {
    const { plural, permission } = kinds[kind]
    const permissions = ['staff', permission] as const
    const [words, shape] = [wordsOf(kind), pascalCase(kind)]
    const deletes = 'deletes' in kinds[kind]
    serveWrite(app, 'POST', `/${plural}`, {
      operationId: `create${shape}`,
      summary: `Make a ${words}`,
      tags,
      permissions,
      status: 201,
      problems: ['duplicate-reference'],
      body: bodies[kind].create,
      parse: parsedByRule,
      answer: single(shape),
      write: (context, { body }) => createReference(context, kind, body),
    })
    serveWrite(app, 'PATCH', `/${plural}/:id`, {
      operationId: `change${shape}`,
      summary: deletes ? `Change a ${words}` : `Change a ${words}, or archive it`,
      tags,
      permissions,
      problems: ['duplicate-reference', 'conflict'],
      body: bodies[kind].change,
      parse: parsedByRule,
      answer: single(shape),
      write: (context, { id, body }) => changeReference(context, kind, id, body),
    })
    serveWrite(app, 'DELETE', `/${plural}/:id`, {
      operationId: `delete${shape}`,
      summary: deletes ? `Delete a ${words} that nothing uses` : `Archive a ${words}`,
      description: deletes
        ? 'It is in use while an item, archived or not, or a child category names it.'
        : 'Its items stay as they are.',
      tags,
      permissions,
      problems: deletes ? ['conflict'] : [],
      write: (context, { id }) => removeReference(context, kind, id),
    })
  }
}
