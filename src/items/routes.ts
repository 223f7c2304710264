import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { serveList, serveRecord } from '../reads/operations.ts'
import { serveWrite } from '../writes/operations.ts'
import { single } from '../values/shapes.ts'
import { parseItemCreate, parseItemUpdate, permissionsOf } from './schema.ts'
import { createItem } from './creation.ts'
import { changeItem } from './items.ts'
import { selectItem, selectItems } from './queries.ts'
import { ItemCreate, ItemListQuery, ItemQuery, ItemUpdate } from './schema.ts'

const tags = ['Items']
const expands = { images: ['lots.read'] } as const
const writing = {
  description:
    'Attaching a seller or a consignment also needs seller_profiles.read, attaching categories categories.read.',
  tags,
  permissions: ['lots.write', 'lots.read'],
  expands,
  problems: ['duplicate-reference'],
  query: ItemQuery,
  needs: permissionsOf,
  answer: single('Item'),
} as const

/** The items of section 4.4. */
export const itemRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'item', { tags, expands, query: ItemListQuery, select: selectItems })
  serveRecord(app, 'item', {
    tags,
    one: 'an item',
    expands,
    query: ItemQuery,
    select: (context, uuid, query) => selectItem(context, uuid, query['expand[]']),
  })
  serveWrite(app, 'POST', '/items', {
    ...writing,
    operationId: 'createItem',
    summary: 'Create an item',
    status: 201,
    body: ItemCreate,
    parse: parseItemCreate,
    write: (context, { body, query }) => createItem(context, body, query['expand[]']),
  })
  serveWrite(app, 'PATCH', '/items/:id', {
    ...writing,
    operationId: 'updateItem',
    summary: 'Change an item',
    body: ItemUpdate,
    parse: parseItemUpdate,
    write: (context, { id, body, query }) => changeItem(context, id, body, query['expand[]']),
  })
}
