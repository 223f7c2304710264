import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PoolConfig } from 'pg'

// PostGraphile 5 with its preset on the catalogue's own tables. Its argument is JSON: the connection, and the folder in
// which it is installed. It is no dependency of this project, so its types are not known here.
const { connection, folder } = JSON.parse(process.argv[2]!) as { connection: PoolConfig; folder: string }
const { resolve } = createRequire(path.resolve(folder, 'package.json'))
const load = async <Module>(name: string) => (await import(pathToFileURL(resolve(name)).href)) as Module

type Served = { addTo(server: object): Promise<void> }
type Postgraphile = (preset: object) => { createServ(serve: unknown): Served }
const { postgraphile } = await load<{ postgraphile: Postgraphile }>('postgraphile')
const { PostGraphileAmberPreset } = await load<{ PostGraphileAmberPreset: object }>('postgraphile/presets/amber')
const { makePgService } = await load<{ makePgService(options: object): object }>('postgraphile/adaptors/pg')
const { grafserv } = await load<{ grafserv: unknown }>('postgraphile/grafserv/node')

const pgServices = [makePgService({ poolConfig: { ...connection, max: 20 }, schemas: ['catalogue'] })]
const preset = { extends: [PostGraphileAmberPreset], pgServices, grafserv: { graphiql: false, watch: false } }
const server = createServer()
await postgraphile(preset).createServ(grafserv).addTo(server)
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
