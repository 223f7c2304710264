/** The groups of operations, in the order of the documentation. */
export const tags = [
  { name: 'Discovery', description: 'Where the resources are.' },
  { name: 'Auctions', description: 'Events that the house announces. An auction is a draft until staff publish it.' },
  { name: 'Sessions', description: 'The sittings of an auction, timed or live. Each has its own opening and closing.' },
  { name: 'Lots', description: 'Items that a session offers, with their numbers and bids. Staff add lots.' },
  { name: 'Items', description: 'The physical objects: texts, translations, estimate and relations.' },
  {
    name: 'Images',
    description: 'The photographs of an item: upload, order and state. Private and processing ones are included.',
  },
  { name: 'Sellers', description: 'Who consigns items, without addresses and bank details.' },
  { name: 'Categories', description: 'The tree of categories of the house.' },
  {
    name: 'Reference records',
    description: 'Makers, delivery classes, increment strategies and consignments. They are read-only.',
  },
  { name: 'Changes', description: 'What has changed since a moment, in one feed, and the proof of a copy.' },
]

/** Those of the staff interface. */
export const staffTags = [
  { name: 'Discovery', description: 'The house, the key, and where the lists are.' },
  { name: 'Auctions', description: 'Publish an auction, take it back, archive it.' },
  {
    name: 'Sessions',
    description: 'Prepare a session, add and number its lots, publish it, delay it, record results, finish it.',
  },
  { name: 'Lots', description: 'Correct, hold, announce, decide or archive a lot, and take bids.' },
  { name: 'Items', description: 'Find items by what they lack or where they are offered, and archive them.' },
  {
    name: 'Reference records',
    description:
      'Sellers, categories, makers, delivery classes and consignments: make, change, archive or delete them.',
  },
  { name: 'Increment strategies', description: 'By how much bids rise.' },
  { name: 'Journal', description: 'Who changed what, and when.' },
]
