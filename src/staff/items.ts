import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { selectItems } from '../items/queries.ts'
import { permissionsOf, links, ItemListQuery, staffItemFilters } from '../items/schema.ts'
import { archiveItem } from '../items/items.ts'
import { relinkItems } from '../items/links.ts'
import { ItemQuery } from '../items/schema.ts'
import { pagingOf, readPage, sendPage } from '../reads/answers.ts'
import { contextOf } from '../reads/context.ts'
import { collection, single } from '../values/shapes.ts'
import { parseId, idPattern } from '../values/ids.ts'
import { serveWrite } from '../writes/operations.ts'
import { checkOnlyTrue, checkRepeated } from '../http/body/validation.ts'

/** The body of `PATCH /items/{id}`. */
const ItemArchival = Type.Object(
  { archived: Type.Unsafe<true>({ type: 'boolean', const: true }) },
  { $id: 'ItemArchival', additionalProperties: false },
)

/** The most items of one body. */
const mostItems = 5_000

/** The body of `PATCH /items`. */
const ItemsChange = Type.Object(
  {
    items: Type.Array(
      Type.Object({ item: Type.String({ pattern: idPattern('item') }), ...links }, { additionalProperties: false }),
      {
        minItems: 1,
        maxItems: mostItems,
      },
    ),
  },
  { $id: 'ItemsChange', additionalProperties: false },
)

/** The answer to `PATCH /items`: the items in the order of the body. */
export const ChangedItems = Type.Object({ data: Type.Array(Type.Ref('Item')) }, { $id: 'ChangedItems' })

/** The query of `GET /items`. */
const ItemSearch = Type.Object({
  ...ItemListQuery.properties,
  ...staffItemFilters,
})

/** The items of the house. */
export const itemRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/items',
    {
      config: { permissions: ['staff', 'lots.read'], expands: { images: ['lots.read'] } },
      schema: {
        operationId: 'findItems',
        summary: 'List items',
        tags: ['Items'],
        querystring: ItemSearch,
        response: { 200: collection('Item') },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await readPage(selectItems(contextOf(request), request.query), pagingOf(request))),
  )
  serveWrite(app, 'PATCH', '/items/:id', {
    operationId: 'archiveItem',
    summary: 'Archive an item that no lot without a result offers',
    tags: ['Items'],
    permissions: ['staff', 'lots.read'],
    expands: { images: ['lots.read'] },
    problems: ['conflict'],
    query: ItemQuery,
    body: ItemArchival,
    check: checkOnlyTrue('archived'),
    answer: single('Item'),
    write: (context, { id, query }) => archiveItem(context, id, query['expand[]']),
  })
  serveWrite(app, 'PATCH', '/items', {
    operationId: 'changeItems',
    summary: 'Change the categories, makers and delivery classes of items, all or none',
    description: `At most ${mostItems} items, by the rules of one. Attaching categories also needs categories.read. Answers with the items in the order of the body.`,
    tags: ['Items'],
    permissions: ['staff', 'lots.write', 'lots.read'],
    guarded: false,
    bulk: true,
    body: ItemsChange,
    check: (body) => checkRepeated(body, 'items', 'item'),
    needs: ({ items }) => items.flatMap(permissionsOf),
    answer: ChangedItems,
    write: (context, { body: { items } }) =>
      relinkItems(
        context,
        items.map(({ item, ...links }) => ({ ...links, item: parseId('item', item)! })),
      ),
  })
}
