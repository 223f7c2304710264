import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { acceptForms, ReceivedFile, receiveForm, type FormPart } from '../http/body/multipart.ts'
import { parseJson } from '../http/body/json.ts'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { conditionOf } from '../reads/conditional.ts'
import { pagingOf, readPage, sendPage, readRecord, sendAnswer } from '../reads/answers.ts'
import { serveWrite } from '../writes/operations.ts'
import { sendWritten } from '../writes/writes.ts'
import { fieldError, parseBody } from '../http/body/validation.ts'
import { ItemQuery } from '../items/schema.ts'
import { withTemporaryFolder } from '../media/temporary.ts'
import { parseId } from '../values/ids.ts'
import type { Locale } from '../values/locales.ts'
import { collection, single } from '../values/shapes.ts'
import { printManagedImages } from './addresses.ts'
import { replaceGallery } from './gallery.ts'
import { changeAlts, checkAlts } from './alts.ts'
import { deleteImage, reprocessImage, changeImage, uploadImage, type Upload } from './images.ts'
import { selectHouseImages, selectImage, selectImages } from './queries.ts'
import {
  GalleryReplacement,
  HouseImageListQuery,
  ImageListQuery,
  ImageParameters,
  ImageUpdate,
  ItemParameters,
  NoFields,
  UploadFields,
  UploadForm,
} from './schema.ts'
import { findItem } from '../items/locks.ts'

const tags = ['Images']
const permissions = ['lots.write', 'lots.read'] as const
const writing = { tags, permissions }
const maxFileBytes = 50 * 1024 * 1024

/** The images of the house and of an item (section 4.8): managed images, uploads, and the replacement of a gallery. */
export const imageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { media } = app.site
  const sign = (body: string, now: Date) => printManagedImages(media, body, now)
  await app.register(uploadRoute)
  app.get(
    '/images',
    {
      config: { permissions: ['lots.read'], signs: true },
      schema: {
        operationId: 'listHouseImages',
        summary: 'List the images of all items, private and processing ones included',
        tags,
        querystring: HouseImageListQuery,
        response: { 200: collection('ManagedImage') },
      },
    },
    async (request, reply) => {
      const page = await readPage(selectHouseImages(contextOf(request), request.query), pagingOf(request))
      return sendPage(request, reply, page, sign)
    },
  )
  app.get(
    '/items/:item_id/images',
    {
      config: { permissions: ['lots.read'], signs: true },
      schema: {
        operationId: 'listImages',
        summary: 'List the images of an item, private and processing ones included',
        tags,
        params: ItemParameters,
        querystring: ImageListQuery,
        response: { 200: collection('ManagedImage') },
      },
    },
    async (request, reply) => {
      const item = await findItem(contextOf(request), pathId('item', request.params.item_id))
      const page = await readPage(selectImages(contextOf(request), item, request.query), pagingOf(request))
      return sendPage(request, reply, page, sign)
    },
  )
  app.get(
    '/items/:item_id/images/:id',
    {
      config: { permissions: ['lots.read'], signs: true },
      schema: {
        operationId: 'getImage',
        summary: 'Read an image of an item',
        tags,
        params: ImageParameters,
        response: { 200: single('ManagedImage') },
      },
    },
    async (request, reply) => {
      const item = await findItem(contextOf(request), pathId('item', request.params.item_id))
      const uuid = pathId('image', request.params.id)
      const image = await readRecord(selectImage(contextOf(request), item, uuid), conditionOf(request))
      return sendAnswer(request, reply, image, sign)
    },
  )
  serveWrite(app, 'PATCH', '/items/:item_id/gallery', {
    ...writing,
    operationId: 'replaceGallery',
    summary: "Replace an item's public gallery, or its featured image",
    description:
      'The listed images become the public gallery in that order, all others private. Answers with the item, its images expanded. A picture that changes between public and private has no URLs for a moment, while its files are moved.',
    expands: { images: ['lots.read'] },
    params: ItemParameters,
    query: ItemQuery,
    body: GalleryReplacement,
    answer: single('Item'),
    write: (context, { item_id, body: { images, featured } }) =>
      replaceGallery(context, item_id, {
        ...(images && { images: images.map((id) => parseId('image', id)!) }),
        ...(featured !== undefined && { featured: featured && parseId('image', featured)! }),
      }),
  })
  serveWrite(app, 'PATCH', '/items/:item_id/images/:id', {
    ...writing,
    operationId: 'updateImage',
    summary: 'Say in words what an image shows',
    description:
      'An image that is private or processing too. `alt` and the default locale of `alt_translations` are one text; null clears a text, and one that is left out is kept.',
    signs: true,
    params: ImageParameters,
    body: ImageUpdate,
    check: (body, { house }) => checkAlts(body, house.defaultLocale),
    answer: single('ManagedImage'),
    write: (context, { item_id, id, body }) => changeImage(context, media, item_id, id, body),
  })
  serveWrite(app, 'POST', '/items/:item_id/images/:id/reprocess', {
    ...writing,
    operationId: 'reprocessImage',
    summary: 'Make the renditions of an image again from its original',
    status: 202,
    problems: ['image-processing'],
    params: ImageParameters,
    body: NoFields,
    answer: single('ManagedImage'),
    write: (context, { item_id, id }) => reprocessImage(context, media, item_id, id),
  })
  serveWrite(app, 'DELETE', '/items/:item_id/images/:id', {
    ...writing,
    operationId: 'deleteImage',
    summary: 'Delete an image, private or processing ones included',
    description: 'Its files are deleted afterwards.',
    signs: true,
    problems: ['locked'],
    params: ImageParameters,
    write: (context, { item_id, id }) => deleteImage(context, item_id, id),
  })
}

// In this scope a body is always a form.
const uploadRoute: FastifyPluginAsyncTypebox = async (app) => {
  const { media } = app.site
  acceptForms(app)
  app.post(
    '/items/:item_id/images',
    {
      config: {
        status: 201,
        permissions,
        accepts: 'multipart/form-data',
        signs: true,
        problems: ['duplicate-reference', 'validation-failed'],
      },
      schema: {
        operationId: 'uploadImage',
        summary: 'Upload an image of an item',
        description:
          'A public image goes to the end of the gallery. Its renditions are made afterwards: until `processing` is false its URLs are null.',
        tags,
        consumes: ['multipart/form-data'],
        params: ItemParameters,
        body: UploadForm,
        response: { 201: single('ManagedImage') },
      },
    },
    async (request, reply) => {
      const itemUuid = pathId('item', request.params.item_id)
      const requireItem = () => findItem(contextOf(request), itemUuid)
      const mayRepeat = request.write?.key !== undefined
      if (!mayRepeat) await requireItem()
      // Fastify's own signal already aborts when the whole body has arrived.
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      return withTemporaryFolder(async (folder) => {
        const { defaultLocale } = contextOf(request).house
        const upload = parseUpload(await receiveForm(request, folder, maxFileBytes), defaultLocale)
        // A repeated upload gets the stored answer, whatever the state of the item is now, and is not decoded again.
        if (mayRepeat) {
          await request.write!.begin(app.site.db)
          await requireItem()
        }
        const context = contextOf(request)
        return sendWritten(request, reply, await uploadImage(context, media, itemUuid, upload, left.signal))
      })
    },
  )
}

function parseUpload(parts: FormPart[], locale: Locale): Upload {
  const { file, alt_translations, ...texts } = Object.fromEntries(parts.map(({ name, value }) => [name, value]))
  const repeated = parts.map((part) => part.name).filter((name, at, names) => names.indexOf(name) !== at)
  const fields = {
    ...texts,
    ...(alt_translations !== undefined && { alt_translations: parseObject(alt_translations) }),
  }
  const form = parseBody(UploadFields, fields, 'POST', (given) => [
    ...[...new Set(repeated)].map((name) => fieldError(name, 'duplicate')),
    // The replacement character stands for bytes that are not UTF-8.
    ...['external_reference', 'alt']
      .filter((name) => String(given[name]).includes('\ufffd'))
      .map((name) => fieldError(name, 'invalid')),
    ...checkAlts(given, locale),
    ...(file instanceof ReceivedFile
      ? []
      : [file === undefined ? fieldError('file', 'required') : fieldError('file', 'wrong_type', 'must be a file')]),
  ])
  const { external_reference: reference } = form
  return {
    file: file as ReceivedFile,
    reference,
    visible: form.public !== 'false',
    alts: changeAlts({}, form, locale),
  }
}

// A text that is not JSON stays a text, which is no object.
function parseObject(value: FormPart['value']): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseJson(Buffer.from(value))
  } catch {
    return value
  }
}
