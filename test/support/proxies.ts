import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { until } from './pictures.ts'
import { checkout, findPort, stopProcess } from './process.ts'

type Change = (config: string, folder: string) => string

/** A proxy with a configuration in `deploy/`, and changes of it as the documentation of the proxy has them. */
export type Proxy = {
  name: string
  file: string
  program: string
  /** The word with which the program prints its version. */
  version: string
  /** The words with which the program runs a file in the foreground. */
  run: (file: string) => string[]
  /** The configuration of the whole program. */
  around: Change
  /** Compresses the answers of the service too. */
  compressing: Change
  /** The codings in which it then changes the tags of answers that the service has not encoded. */
  spoils: ('gzip' | 'br')[]
  /** Asks the service for plain answers and compresses them; Apache does not do that. */
  replacing?: Change
  /** Keeps answers, and says in `X-Cache` which came from there; Debian's Caddy does not do that. */
  caching?: Change
}

const nginx: Proxy = {
  name: 'nginx',
  file: 'nginx.conf',
  program: 'nginx',
  version: '-v',
  run: (file) => ['-c', file],
  around: (config, folder) => {
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const temporary = folders.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
    return `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary} ${config} }`
  },
  compressing: (config) => config.replace('gzip off;', ''),
  spoils: ['gzip'],
  replacing: (config) => config.replace('gzip off;', "proxy_set_header Accept-Encoding '';"),
  caching: (config, folder) =>
    `proxy_cache_path ${folder}/cache keys_zone=all:1m;${config
      .replace('gzip on;', 'gzip on; proxy_cache all; add_header X-Cache $upstream_cache_status;')
      .replace('gzip off;', 'gzip off; proxy_set_header If-None-Match $http_if_none_match;')}`,
}

const apacheModules = 'mpm_event authz_core env filter mime headers deflate brotli proxy proxy_http cache cache_disk'

const apache: Proxy = {
  name: 'Apache',
  file: 'apache.conf',
  program: 'apache2',
  version: '-v',
  run: (file) => ['-D', 'FOREGROUND', '-f', file],
  around: (config, folder) =>
    [
      ...apacheModules.split(' ').map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      `ServerName proxy.test\nDefaultRuntimeDir ${folder}\nPidFile ${folder}/pid\nErrorLog ${folder}/log`,
      'TypesConfig /etc/mime.types\nUser www-data\nGroup www-data',
      config,
    ].join('\n'),
  compressing: (config) => config.replaceAll(/SetEnv .*/g, ''),
  spoils: ['gzip', 'br'],
  caching: (config, folder) =>
    config.replace('</Virt', `CacheRoot ${folder}/cache\nCacheEnable disk /\nCacheHeader on\n</Virt`),
}

const caddy: Proxy = {
  name: 'Caddy',
  file: 'Caddyfile',
  program: 'caddy',
  version: 'version',
  run: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  around: (config) => `{\nadmin off\n}\n${config}`,
  compressing: (config) => config.replace('handle {', 'handle {\nencode zstd gzip'),
  spoils: [],
  replacing: (config) => caddy.compressing(config, '').replace('transport', 'header_up -Accept-Encoding\ntransport'),
}

const compression = 'compression algo gzip\ncompression type application/json'

const haproxy: Proxy = {
  name: 'HAProxy',
  file: 'haproxy.cfg',
  program: 'haproxy',
  version: '-v',
  run: (file) => ['-db', '-f', file],
  around: (config) => config,
  compressing: (config) => config.replace('mode http', `mode http\n${compression}`),
  spoils: ['gzip'],
  replacing: (config) => config.replace('backend catalogue', `backend catalogue\n${compression}\ncompression offload`),
  caching: (config) => {
    const rules = ['http-request cache-use all', 'http-response cache-store all']
    const shown = ['http-response set-header X-Cache HIT if !{ srv_id -m found }']
    const cache = 'cache all\ntotal-max-size 16\nmax-age 60\nprocess-vary on\n'
    return cache + config.replace('frontend web', ['frontend web', ...rules, ...shown].join('\n'))
  },
}

/** The proxies of `deploy/`. */
export const proxies = [nginx, apache, caddy, haproxy]

/** Why a test cannot run a proxy; false if it can. */
export const lackOf = ({ name, program, version }: Proxy) =>
  spawnSync(program, [version]).error === undefined ? false : `${name} is not there: no ${program} on the PATH`

/**
 * Runs a proxy with its configuration in `deploy/`, changed, before a service and a server of other content, until the
 * test has ended. Returns its origin.
 */
export async function runProxy(
  t: TestContext,
  proxy: Proxy,
  ports: { service: string; shop: string },
  change: Change = (config) => config,
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-proxy-'))
  // As root, nginx and Apache work as another user.
  await chmod(folder, 0o755)
  await mkdir(path.join(folder, 'cache'))
  await chmod(path.join(folder, 'cache'), 0o777)
  const port = await findPort()
  const deployed = await readFile(path.join(checkout, 'deploy', proxy.file), 'utf8')
  const placed = deployed
    .replaceAll(/\b8080\b/g, String(port))
    .replaceAll('127.0.0.1:4000', `127.0.0.1:${ports.service}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.shop}`)
  const file = path.join(folder, proxy.file)
  await writeFile(file, proxy.around(change(placed, folder), folder))
  const child = spawn(proxy.program, proxy.run(file), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  t.after(async () => {
    await stopProcess(child)
    await rm(folder, { recursive: true })
  })
  let complaints = ''
  child.stderr.on('data', (text) => (complaints += text))
  const origin = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${proxy.program} ended with ${child.exitCode}: ${complaints}`)
    return (await fetch(`${origin}/healthz`).catch(() => undefined))?.ok === true
  })
  return origin
}
