/** What a setting means, and its default, or the behaviour while it is unset. The texts are Markdown. */
export type Setting = { meaning: string; default: string | undefined; unset?: string }

/**
 * Every environment variable of the program. `.env.example` and the table in docs/operating.md are generated from it.
 */
export const settings = {
  HOST: { meaning: 'the address or name to listen on', default: '127.0.0.1' },
  PORT: { meaning: 'the port to listen on', default: '4000' },
  PUBLIC_URL: {
    meaning: "the origin in absolute addresses: behind a proxy, the proxy's",
    default: undefined,
    unset: '`http://HOST:PORT`',
  },
  DATABASE_URL: {
    meaning: 'PostgreSQL 15 to 18',
    default: undefined,
    unset: 'an embedded PostgreSQL 18 in `DATA_DIR`',
  },
  DATA_DIR: {
    meaning: 'embedded database, local media, generated secret',
    default: undefined,
    unset: '`.data` in the checkout, or in the project that has the package installed',
  },
  SECRET: {
    meaning: 'signs cursors and addresses of private files; the same on every instance; at least 32 characters',
    default: undefined,
    unset: 'generated once into `DATA_DIR/secret`',
  },
  SECRET_PREVIOUS: {
    meaning: 'another secret whose cursors and addresses are accepted while `SECRET` is changed',
    default: undefined,
  },
  MEDIA_STORE: {
    meaning:
      'where pictures are kept: `file`, or `s3` with `S3_BUCKET`, `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
    default: 'file',
  },
  S3_BUCKET: { meaning: 'the bucket of the media', default: undefined },
  S3_ENDPOINT: { meaning: 'the address of a store that is not AWS', default: undefined },
  S3_REGION: { meaning: 'the region of the bucket', default: 'us-east-1' },
  RATE_LIMIT_PER_MINUTE: { meaning: 'requests per key and minute; `0` switches the limit off', default: '300' },
  REDIS_URL: {
    meaning: 'rate-limit windows shared by several instances',
    default: undefined,
    unset: 'in PostgreSQL with `DATABASE_URL` or several `PROCESSES`, else in memory',
  },
  METRICS_PORT: {
    meaning: 'Prometheus metrics at `/metrics` on that port',
    default: undefined,
    unset: 'no metrics',
  },
  METRICS_HOST: { meaning: 'the address or name for the metrics', default: '127.0.0.1' },
  WINDOW: { meaning: 'the page at `/`: `on` or `off`', default: 'on' },
  WORKER: {
    meaning:
      'which process does the jobs of the queue: `in-process`, `off` (this process only serves), `only` (it serves no HTTP)',
    default: 'in-process',
  },
  PROCESSES: {
    meaning: 'processes that answer requests on one port; `auto` is half as many as there are processors',
    default: '1',
  },
  ANSWER_CACHE_MIB: {
    meaning: 'memory of the response cache, in MiB, for all processes together; `0` switches it off',
    default: '64',
  },
  SEARCH_MEMORY_MIB: {
    meaning: 'memory for the search indexes of houses, in MiB, for all processes together; at least 16',
    default: undefined,
    unset: 'an eighth of the memory of the machine or container, 64 to 2048',
  },
  JOURNAL_DAYS: {
    meaning: 'how many days the journal is kept, except for bids and results, which stay; `0` keeps it for ever',
    default: '730',
  },
  CATALOGUE_HOUSE: {
    meaning:
      'the short name of the house of a command that names none with `--house`; not for `doctor`, `keys` and `export`',
    default: undefined,
  },
  SETTINGS_IGNORE: {
    meaning: 'names of variables that look like misspelt settings and are not, separated by commas',
    default: undefined,
  },
  LOG_LEVEL: {
    meaning: 'what is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    default: 'info',
  },
} as const satisfies Record<string, Setting>
