import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { acceptForms, ReceivedFile, receiveForm, type FormPart } from '../http/body/multipart.ts'
import { parseJson } from '../http/body/json.ts'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { conditionOf } from '../reads/conditional.ts'
import { pagingOf, readPage, sendPage, readRecord, sendAnswer } from '../reads/answers.ts'
import { sendWritten } from '../writes/writes.ts'
import { fieldError, parseBody } from '../http/body/validation.ts'
import { findItem } from '../items/items.ts'
import { ItemQuery } from '../items/schema.ts'
import { withTemporaryFolder } from '../media/temporary.ts'
import { parseId } from '../values/ids.ts'
import type { Locale } from '../values/locales.ts'
import { collection, single } from '../values/shapes.ts'
import { printManagedImages } from './addresses.ts'
import { replaceGallery } from './gallery.ts'
import { changeAlts, checkAlts } from './alts.ts'
import { deleteImage, reprocessImage, updateImage, uploadImage, type Upload } from './images.ts'
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

const tags = ['Images']
const writing = { permissions: ['lots.write', 'lots.read'] } as const
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
  app.patch(
    '/items/:item_id/gallery',
    {
      config: {
        ...writing,
        accepts: 'application/json',
        expands: { images: ['lots.read'] },
        problems: ['validation-failed'],
      },
      schema: {
        operationId: 'replaceGallery',
        summary: "Replace an item's public gallery, or its featured image",
        description:
          'The listed images become the public gallery in that order, all others private. Answers with the item, its images expanded. A picture that changes between public and private has no URLs for a moment, while its files are moved.',
        tags,
        params: ItemParameters,
        querystring: ItemQuery,
        body: GalleryReplacement,
        response: { 200: single('Item') },
      },
    },
    async (request, reply) => {
      const { images, featured } = parseBody(GalleryReplacement, request.body, 'PATCH')
      const written = await replaceGallery(contextOf(request), pathId('item', request.params.item_id), {
        ...(images && { images: images.map((id) => parseId('image', id)!) }),
        ...(featured !== undefined && { featured: featured && parseId('image', featured)! }),
      })
      return sendWritten(request, reply, written)
    },
  )
  app.patch(
    '/items/:item_id/images/:id',
    {
      config: { ...writing, accepts: 'application/json', signs: true, problems: ['validation-failed'] },
      schema: {
        operationId: 'updateImage',
        summary: 'Say in words what an image shows',
        description:
          'An image that is private or processing too. `alt` and the default locale of `alt_translations` are one text; null clears a text, and one that is left out is kept.',
        tags,
        params: ImageParameters,
        body: ImageUpdate,
        response: { 200: single('ManagedImage') },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const body = parseBody(ImageUpdate, request.body, 'PATCH', (fields) =>
        checkAlts(fields, context.house.defaultLocale),
      )
      const { item_id, id } = request.params
      const written = await updateImage(context, media, pathId('item', item_id), pathId('image', id), body)
      return sendWritten(request, reply, written)
    },
  )
  app.post(
    '/items/:item_id/images/:id/reprocess',
    {
      config: {
        status: 202,
        ...writing,
        accepts: 'application/json',
        problems: ['image-processing', 'validation-failed'],
      },
      schema: {
        operationId: 'reprocessImage',
        summary: 'Make the renditions of an image again from its original',
        tags,
        params: ImageParameters,
        body: NoFields,
        response: { 202: single('ManagedImage') },
      },
    },
    async (request, reply) => {
      parseBody(NoFields, request.body, 'POST')
      const { item_id, id } = request.params
      const context = contextOf(request)
      const written = await reprocessImage(context, media, pathId('item', item_id), pathId('image', id))
      return sendWritten(request, reply, written)
    },
  )
  app.delete(
    '/items/:item_id/images/:id',
    {
      config: { status: 204, ...writing, signs: true, problems: ['locked'] },
      schema: {
        operationId: 'deleteImage',
        summary: 'Delete an image, private or processing ones included',
        description: 'Its files are deleted afterwards.',
        tags,
        params: ImageParameters,
        response: { 204: Type.Unsafe<undefined>({ type: 'null' }) },
      },
    },
    async (request, reply) => {
      const { item_id, id } = request.params
      const written = await deleteImage(contextOf(request), pathId('item', item_id), pathId('image', id))
      return sendWritten(request, reply, written)
    },
  )
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
        ...writing,
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
