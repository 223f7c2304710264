import { staffTags, tags } from './tags.ts'

/** An interface with an OpenAPI document of its own. `introduce`: CommonMark. */
export type Interface = {
  prefix: string
  /** The name by which the framework has its document. The documentation page needs one named `swagger`. */
  decorator: string
  title: string
  version: string
  introduce: (publicUrl: string) => string
  tags: { name: string; description: string }[]
}

/** The interface of programs: importers, storefronts, the window. */
export const catalogueInterface: Interface = {
  prefix: '/api/v2',
  decorator: 'swagger',
  title: 'Auction catalogue',
  version: '2',
  tags,
  introduce: (publicUrl) => `The catalogue of one auction house: auctions contain sessions, sessions hold \
numbered lots, a lot offers an item, an item carries images. Ask the operator of the service for a key \
(\`bin/catalogue keys create\` issues it), read the guide \`docs/interface.md\` that comes with the program, and look up any \
error among [the problems](${publicUrl}/problems). The key names the house, and every answer is scoped to it. A first request:

    curl -g -H "Authorization: Bearer $KEY" '${publicUrl}/api/v2/lots?limit=3&expand[]=item'
`,
}

/** The prefix of the staff interface. */
export const staffPrefix = '/staff/v1'

/** The interface for the staff of a house. */
export const staffInterface: Interface = {
  prefix: staffPrefix,
  decorator: 'staffDocument',
  title: 'Auction catalogue, for staff',
  version: '1',
  tags: staffTags,
  introduce: (
    publicUrl,
  ) => `What the people of an auction house do with their catalogue: publish, add lots, take bids, \
and read who changed what. It answers with the documents of ${publicUrl}/api/v2, those of lots and sessions with the field \`staff\`, and all else is as there: problems, limits, \
\`Idempotency-Key\`, \`dry_run\`, \`If-Match\` with the ETags of \`/api/v2\`. A key needs the permission \`staff\` \
(\`bin/catalogue keys create --staff --name PERSON\`), and the permission to read what an operation answers with. The guide \
is \`docs/staff-interface.md\`.
`,
}
