import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { form, picture } from '../../test/support/pictures.ts'
import { eur, houseLine, uuid } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'

let service: TestService
let key: string
let jpeg: Buffer
let items = 0
let spares = 500_000

before(async () => {
  jpeg = await picture()
  service = await startService({ records: [houseLine('noord'), houseLine('zuid')] })
  key = await service.issueKey('noord')
})
after(() => service.close())

type Entry = { id: string; position: number; featured: boolean; url: string | null }
type Managed = { id: string; public: boolean; featured: boolean; gallery_position: number | null; updated_at: string }

const id = (number: number) => `img_${uuid(number)}`

/** Creates an item with images of the load format, in a lot. Returns its path. */
async function newItem(images: Record<string, unknown>[] = []): Promise<string> {
  const item = uuid(++items)
  const long_ago = '2020-01-01T00:00:00Z'
  await service.load([
    houseLine('noord'),
    { type: 'item', id: item, translations: { nl: { title: 'Vaas' } }, updated_at: long_ago },
    ...images.map((image) => ({ type: 'image', item, created_at: long_ago, updated_at: long_ago, ...image })),
    { type: 'auction', ref: 'a', title: 'Sale' },
    { type: 'session', ref: 's', auction: 'a', titles: { nl: 'Zitting' }, kind: 'live' },
    { type: 'lot', session: 's', item, lot_number: 1, starting_bid: eur(1000), updated_at: long_ago },
  ])
  return `/api/v2/items/itm_${item}`
}

const change = (item: string, body: unknown, as = key) =>
  service.request({ method: 'PATCH', url: `${item}/gallery`, key: as, body })

async function gallery(item: string): Promise<Entry[]> {
  return (await service.get(`${item}?expand[]=images`, key)).json<{ data: { images: Entry[] } }>().data.images
}

async function managed(item: string): Promise<Managed[]> {
  return (await service.get(`${item}/images?limit=100`, key)).json<{ data: Managed[] }>().data
}

async function revisions(item: string): Promise<unknown> {
  const { rows } =
    await sql`select i.updated_at as item, l.updated_at as lot, i.revision as item_revision, l.revision as lot_revision
    from catalogue.items i join catalogue.lots l on l.house_id = i.house_id and l.item_id = i.id
    where i.public_id = ${item.slice(-36)}`.execute(service.db)
  return rows[0]
}

const shown = (entries: Entry[]) => entries.map((entry) => `${entry.id.slice(-6)}${entry.featured ? '*' : ''}`)
const names = (...numbers: (number | string)[]) => numbers.map((number) => String(number).padStart(6, '0'))

test('the listed images become the gallery, in their order, and all others private', async () => {
  const ids = [11, 12, 13, 14].map(id)
  const item = await newItem([
    { id: ids[0], public: true, position: 5 },
    { id: ids[1], public: true, position: 5, featured: true },
    { id: ids[2], public: true, position: null },
    { id: ids[3], public: false },
  ])
  assert.deepEqual(shown(await gallery(item)), [...names(11), '000012*', ...names(13)])
  const before = await revisions(item)
  const response = await change(item, { images: [ids[3], uuid(13), ids[0]] })
  assert.equal(response.statusCode, 200)
  const { images } = response.json<{ data: { images: Entry[] } }>().data
  assert.deepEqual(shown(images), names(14, 13, 11))
  assert.deepEqual(
    images.map((image) => image.position),
    [0, 1, 2],
  )
  assert.deepEqual(await gallery(item), images)
  assert.notDeepEqual(await revisions(item), before)
  const records = await managed(item)
  assert.deepEqual(
    records.map((image) => [image.id, image.public, image.featured, image.gallery_position]),
    [
      [ids[0], true, false, 2],
      [ids[1], false, false, null],
      [ids[2], true, false, 1],
      [ids[3], true, false, 0],
    ],
  )
  assert.equal((await change(item, { images: [ids[1]] })).statusCode, 200)
  assert.deepEqual(shown(await gallery(item)), names(12), 'the image that was featured once is not again')
})

test('featured can be kept, set and removed', async () => {
  const ids = [21, 22].map(id)
  const item = await newItem(ids.map((each, position) => ({ id: each, public: true, position })))
  const after = async (body: unknown) => {
    assert.equal((await change(item, body)).statusCode, 200)
    return shown(await gallery(item))
  }
  assert.deepEqual(await after({ featured: ids[1] }), ['000021', '000022*'])
  assert.deepEqual(await after({ images: [ids[1], ids[0]] }), ['000022*', '000021'])
  assert.deepEqual(await after({ images: ids, featured: ids[0] }), ['000021*', '000022'])
  assert.deepEqual(await after({ featured: null }), ['000021', '000022'])
  assert.deepEqual(await after({ images: [], featured: null }), [])
})

test('a repeated gallery changes no timestamp', async () => {
  const ids = [31, 32, 33].map(id)
  const item = await newItem([
    { id: ids[0], public: true, position: 3, featured: true },
    { id: ids[1], public: true, position: null },
    { id: ids[2] },
  ])
  const before = [await revisions(item), await managed(item)]
  for (const body of [
    {},
    { images: ids.slice(0, 2) },
    { featured: ids[0] },
    { images: ids.slice(0, 2), featured: ids[0] },
  ]) {
    assert.equal((await change(item, body)).statusCode, 200)
    assert.deepEqual([await revisions(item), await managed(item)], before)
  }
})

test('a refused gallery changes nothing', async () => {
  const ids = [41, 42, 43].map(id)
  const item = await newItem([{ id: ids[0], public: true, position: 0 }, { id: ids[1] }])
  await newItem([{ id: ids[2], public: true, position: 0 }])
  const before = [await revisions(item), await managed(item)]
  const refusals: [unknown, [string, string][]][] = [
    [
      { images: [ids[0], ids[2], id(99)] },
      [
        ['images.1', 'unavailable'],
        ['images.2', 'unavailable'],
      ],
    ],
    [{ images: [ids[0], ids[0]!.toUpperCase().replace('IMG_', '')] }, [['images.1', 'duplicate']]],
    [{ images: [ids[0]], featured: ids[1] }, [['featured', 'unavailable']]],
    [{ featured: ids[1] }, [['featured', 'unavailable']]],
    [{ featured: 'itm_' + uuid(1) }, [['featured', 'invalid']]],
    [
      { images: ['x'], more: 1 },
      [
        ['images.0', 'invalid'],
        ['more', 'unknown_field'],
      ],
    ],
    [{ images: null }, [['images', 'not_clearable']]],
    [{ images: [null] }, [['images.0', 'wrong_type']]],
    [{ images: ids[0] }, [['images', 'wrong_type']]],
    [{ featured: true }, [['featured', 'wrong_type']]],
    [[], [['', 'wrong_type']]],
  ]
  for (const [body, errors] of refusals) {
    const response = await change(item, body)
    assert.equal(response.statusCode, 422, JSON.stringify(body))
    const found = response.json<{ errors: { field: string; code: string }[] }>().errors
    assert.deepEqual(
      found.map((error) => [error.field, error.code]),
      errors,
    )
  }
  assert.equal((await change(`/api/v2/items/itm_${uuid(9999)}`, {})).statusCode, 404)
  assert.equal((await change(item, {}, await service.issueKey('zuid'))).statusCode, 404)
  assert.equal((await change(item, {}, await service.issueKey('noord', ['lots.write']))).statusCode, 403)
  assert.deepEqual([await revisions(item), await managed(item)], before)
})

test('an id that two images share is refused', async () => {
  const item = await newItem([{ id: id(51) }, { id: id(51) }, { id: id(52) }])
  assert.equal((await change(item, { images: [id(51)] })).statusCode, 500)
  assert.equal((await change(item, { images: [id(52)] })).statusCode, 200)
  assert.equal((await change(item, { images: [id(51), id(52)] })).statusCode, 500)
  assert.deepEqual(shown(await gallery(item)), names(52))
})

type Model = { id: string; public: boolean; featured: boolean }

/** Replaces the gallery of the model. Returns false for a request that the service must refuse. */
function replaceInModel(
  model: { all: Map<string, Model>; order: string[] },
  images: string[] | undefined,
  featured: string | null | undefined,
) {
  const order = images ?? model.order
  if (new Set(order).size < order.length || order.some((each) => !model.all.has(each))) return false
  if (typeof featured === 'string' && !order.includes(featured)) return false
  for (const image of model.all.values()) {
    const wasFeatured = image.public && image.featured
    image.public = order.includes(image.id)
    image.featured = image.public && (featured === undefined ? wasFeatured : featured === image.id)
  }
  model.order = [...order]
  return true
}

test('after random changes, the gallery equals that of a small model', async () => {
  const pick = fc.nat(9)
  const operation = fc.oneof(
    fc.record({ type: fc.constant('upload' as const), visible: fc.boolean() }),
    fc.record({ type: fc.constant('delete' as const), which: pick }),
    fc.record(
      {
        type: fc.constant('replace' as const),
        images: fc.array(pick, { maxLength: 6 }),
        featured: fc.option(pick),
      },
      { requiredKeys: ['type'] },
    ),
  )
  const legacy = fc.array(
    fc.record({ public: fc.boolean(), featured: fc.boolean(), position: fc.option(fc.integer({ min: 0, max: 3 })) }),
    { maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(legacy, fc.array(operation, { maxLength: 8 }), async (stored, operations) => {
      const records = stored.map((image) => ({ id: id(++spares), ...image }))
      const item = await newItem(records)
      const sorted = records
        .filter((image) => image.public)
        .toSorted((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || (a.id < b.id ? -1 : 1))
      const model = {
        all: new Map<string, Model>(records.map((image) => [image.id, { ...image }])),
        order: sorted.map((image) => image.id),
      }
      for (const [step, each] of operations.entries()) {
        const known = [...model.all.keys()]
        const name = (index: number) => known[index] ?? id(999_999)
        if (each.type === 'upload') {
          const { headers, body } = form(
            ['external_reference', String(step)],
            ['public', String(each.visible)],
            ['file', jpeg, 'a'],
          )
          const response = await service.request({ method: 'POST', url: `${item}/images`, key, headers, body })
          assert.equal(response.statusCode, 201)
          const created = response.json<{ data: Managed }>().data
          model.all.set(created.id, { id: created.id, public: each.visible, featured: false })
          if (each.visible) model.order.push(created.id)
        } else if (each.type === 'delete') {
          const response = await service.request({ method: 'DELETE', url: `${item}/images/${name(each.which)}`, key })
          assert.equal(response.statusCode, model.all.delete(name(each.which)) ? 204 : 404)
          model.order = model.order.filter((image) => image !== name(each.which))
        } else {
          const images = each.images?.map(name)
          const featured = each.featured == null ? each.featured : name(each.featured)
          const response = await change(item, {
            ...(images && { images }),
            ...(featured !== undefined && { featured }),
          })
          assert.equal(response.statusCode, replaceInModel(model, images, featured) ? 200 : 422)
        }
        const expected = model.order.map((image, position) => ({
          id: image,
          position,
          featured: model.all.get(image)!.featured,
        }))
        assert.deepEqual(
          (await gallery(item)).map(({ id, position, featured }) => ({ id, position, featured })),
          expected,
        )
        for (const image of await managed(item)) {
          const position = model.order.indexOf(image.id)
          assert.equal(image.gallery_position, position < 0 ? null : position)
        }
      }
    }),
    { numRuns: Number(process.env.GALLERY_RUNS ?? 6) },
  )
})

test('concurrent uploads, deletions and replacements leave a dense gallery and lose nothing', async () => {
  const ids = Array.from({ length: 8 }, (_, at) => id(60 + at))
  const item = await newItem(ids.map((each, position) => ({ id: each, public: true, position: position % 3 })))
  const refused: string[] = []
  const uploads = Array.from({ length: 12 }, (_, at) => {
    const { headers, body } = form(['external_reference', `r${at}`], ['file', jpeg, 'a'])
    return service.request({ method: 'POST', url: `${item}/images`, key, headers, body })
  })
  const remove = (each: string) => service.request({ method: 'DELETE', url: `${item}/images/${each}`, key })
  const deletions = ids.slice(0, 4).map(async (each) => {
    const answer = await remove(each)
    if (answer.statusCode === 409) refused.push(each)
    return answer
  })
  const replacements = Array.from({ length: 6 }, (_, at) => change(item, { featured: ids[4 + (at % 4)] }))
  const tried = await Promise.all([...uploads, ...deletions, ...replacements])
  const answers = tried.filter(({ statusCode }) => statusCode !== 409)
  // Another request may have held the item for longer than a second. Now none does.
  for (const each of refused) answers.push(await remove(each))
  assert.deepEqual(
    Object.entries(Object.groupBy(answers, (answer) => String(answer.statusCode))).map(([status, all]) => [
      status,
      all!.length,
    ]),
    [
      ['200', 6],
      ['201', 12],
      ['204', 4],
    ],
  )
  const entries = await gallery(item)
  assert.deepEqual(
    entries.map((entry) => entry.position),
    Array.from({ length: 16 }, (_, at) => at),
  )
  assert.equal(entries.filter((entry) => entry.featured).length, 1)
  const { rows } = await sql<{ position: number }>`select position from catalogue.images
    where item_id = (select id from catalogue.items where public_id = ${item.slice(-36)}) and public order by position`.execute(
    service.db,
  )
  assert.equal(new Set(rows.map((row) => row.position)).size, 16)
})
