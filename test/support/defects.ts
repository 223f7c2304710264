import { eur, houseLine, uuid, type Line } from './lines.ts'

const times = (day: number) => {
  const at = `2019-03-${String(day).padStart(2, '0')}T10:00:00.00000${day % 10}Z`
  return { created_at: at, updated_at: at }
}
const never = { created_at: null, updated_at: null }
const twice = [
  { locale: 'fr', title: 'a' },
  { locale: 'fr', title: 'b', weight: '' },
]

const soldWith = { type: 'lot', session: 'third', item: uuid(187) }

/** A house with every defect that `load` takes: what older systems have and the interface cannot show. */
export function defectiveHouse(slug: string): Line[] {
  return [
    houseLine(slug, { id: null, ...never }),
    { type: 'seller', id: null, ref: 'nameless seller', seller_number: 1, ...never },
    { type: 'seller', id: uuid(101), seller_number: 1, ...times(1) },
    { type: 'seller', id: uuid(100), seller_number: null, ...times(1) },
    { type: 'seller', id: null, archived: true, profile_name: 'archived' },
    { type: 'category', id: null, ref: 'nameless category', slug: 'same', ...times(9) },
    { type: 'category', id: uuid(110), slug: 'same', names: { zh: '绘画' }, parent: 'nameless category', ...times(2) },
    { type: 'category', id: uuid(111), slug: null, names: {}, ...never },
    { type: 'maker', id: null, ref: 'nameless maker', name: 'M' },
    { type: 'maker', id: uuid(120), name: null, active: false },
    { type: 'delivery_class', id: null, ref: 'nameless class', name: 'D', instructions: 'a\nb\t"c"\\' },
    { type: 'delivery_class', id: uuid(130), name: null },
    { type: 'increment_strategy', id: null, ref: 'nameless strategy', name: 'S', steps: [] },
    {
      type: 'increment_strategy',
      id: uuid(140),
      name: null,
      steps: [
        { from: eur(100), increment: eur(0) },
        { from: eur(0), increment: eur(5) },
        { from: eur(0), increment: eur(3) },
      ],
    },
    { type: 'consignment', id: null, ref: 'nameless consignment', number: '1' },
    { type: 'consignment', id: uuid(150), number: null, seller: 'nameless seller' },
    { type: 'auction', id: null, ref: 'nameless auction', title: 'A' },
    { type: 'auction', id: uuid(160), ref: 'untitled auction', title: null, archived: true },
    { type: 'session', id: null, ref: 'nameless session', auction: 'nameless auction', kind: 'live', live: {} },
    {
      type: 'session',
      id: uuid(170),
      ref: 'session',
      auction: 'untitled auction',
      kind: 'timed',
      increment_strategy: 'nameless strategy',
      published: true,
      hidden: true,
    },
    { type: 'auction', id: uuid(161), ref: 'auction', title: 'A' },
    { type: 'session', id: null, auction: 'auction', kind: 'live' },
    { type: 'session', id: uuid(171), ref: 'third', auction: 'auction', kind: 'live', live: {} },
    { type: 'item', id: uuid(185), title: 'I', categories: ['nameless category'] },
    { type: 'item', id: uuid(186), title: 'I', makers: ['nameless maker'] },
    { type: 'item', id: uuid(187), title: 'I', seller: 'nameless seller' },
    { type: 'item', id: uuid(188), title: 'I', delivery_class: 'nameless class' },
    { type: 'item', id: uuid(189), title: 'I', consignment: 'nameless consignment' },
    { type: 'item', id: null, ref: 'nameless item', title: 'I' },
    { type: 'item', id: uuid(180), ref: 'untitled item', title: null, translations: { nl: { title: 'Vaas' }, en: {} } },
    { type: 'item', id: uuid(181), ref: 'twice', title: 'I', translations: twice },
    { type: 'item', id: uuid(182), title: 'I', translations: { de: { title: 'x' }, nl: { title: 'differs' } } },
    {
      type: 'item',
      id: uuid(183),
      ref: 'linked item',
      title: 'I',
      estimate: { low: eur(200), high: eur(100) },
      seller: 'nameless seller',
      categories: ['nameless category', uuid(111), 'nameless category'],
      makers: [uuid(120), 'nameless maker'],
      delivery_class: 'nameless class',
      consignment: 'nameless consignment',
    },
    { type: 'item', id: uuid(184), ref: 'archived item', title: '', archived: true },
    { type: 'image', id: null, item: 'linked item', public: true, position: null, ...never },
    { type: 'image', id: uuid(190), item: 'linked item', public: true, featured: true, position: 3, ...times(3) },
    { type: 'image', id: uuid(190), item: 'linked item', public: true, featured: true, position: 3, ...times(3) },
    { type: 'image', id: null, item: 'archived item', processing: true },
    { type: 'image', id: uuid(191), item: 'linked item', processing_failure: { at: '2020-01-01T00:00:00.000009Z' } },
    { type: 'lot', id: null, ref: 'nameless lot', session: 'session', item: 'untitled item', lot_number: 1 },
    { type: 'lot', id: uuid(200), session: 'nameless session', item: 'linked item', lot_number: null, active: null },
    { type: 'lot', id: uuid(201), session: 'session', item: 'nameless item', lot_number: -3, sold: true },
    { type: 'lot', id: uuid(202), session: 'session', item: 'twice', lot_number: 1, archived: true },
    { type: 'lot', id: uuid(203), session: 'session', item: 'archived item', lot_number: 2, current_bid: eur(0) },
    { type: 'lot', id: uuid(204), session: 'third', item: 'twice', lot_number: 1 },
    { type: 'lot', id: uuid(205), session: 'third', item: 'untitled item', lot_number: 2 },
    { type: 'lot', id: uuid(206), session: 'third', item: 'nameless item', lot_number: 3 },
    { type: 'lot', id: uuid(207), session: 'nameless session', item: uuid(185), lot_number: 3 },
    { type: 'lot', id: uuid(208), session: 'third', item: uuid(186), result: { state: 'sold' }, ...times(9) },
    { ...soldWith, id: uuid(209), result: { state: 'sold', with: uuid(208) }, ...times(8) },
    { type: 'bid', id: null, lot: 'nameless lot', amount: eur(100), placed_at: null, ...never },
    { type: 'bid', id: uuid(210), lot: uuid(203), amount: eur(100), placed_at: '2020-01-01T23:00:00.654321+05:00' },
  ]
}
