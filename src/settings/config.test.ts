import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const refusals: [env: Record<string, string>, message: string][] = [
  [{ HOST: '127.0.0.1 ' }, 'HOST must be an address or a name of this machine, not "127.0.0.1 "'],
  [{ HOST: 'a host' }, 'HOST must be an address or a name of this machine, not "a host"'],
  [{ HOST: 'host/path' }, 'HOST must be an address or a name of this machine, not "host/path"'],
  [{ HOST: '1.2.3.4.5' }, 'HOST must be an address or a name of this machine, not "1.2.3.4.5"'],
  [{ METRICS_HOST: ' ' }, 'METRICS_HOST must be an address or a name of this machine, not " "'],
  [{ PUBLIC_URL: 'catalogue.test' }, 'PUBLIC_URL must be a URL that begins with http:// or https://'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be a URL that begins with postgres:// or postgresql://'],
  [{ MEDIA_STORE: 's3' }, 'S3_BUCKET must be set where MEDIA_STORE is s3'],
  [{ SECRET: 'x'.repeat(31) }, 'SECRET must be at least 32 characters long'],
  [{ SECRET: 'x'.repeat(32), SECRET_PREVIOUS: 'y' }, 'SECRET_PREVIOUS must be at least 32 characters long'],
]
for (const [env, message] of refusals) {
  test(`${JSON.stringify(env)} is refused with the name of the variable`, () => {
    assert.throws(() => readConfig(env), new ConfigError(message))
  })
}

test('HOST may be an IPv4 or IPv6 address or a name; METRICS_HOST defaults to the loopback address', () => {
  for (const host of ['0.0.0.0', '::', '::1', 'fe80::1%eth0', 'localhost', 'a-b.example']) {
    assert.equal(readConfig({ HOST: host, METRICS_HOST: host }).metricsHost, host)
  }
  assert.equal(readConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:4000')
  assert.equal(readConfig({ HOST: '0.0.0.0', METRICS_PORT: '9000' }).metricsHost, '127.0.0.1')
})

const ignore = 'If it is not yours, name it in SETTINGS_IGNORE'
for (const [name, meant] of [
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['PRT', 'PORT'],
  ['PORt', 'PORT'],
  ['WINDW', 'WINDOW'],
  ['WORKERS', 'WORKER'],
  ['SETTING_IGNORE', 'SETTINGS_IGNORE'],
] as const) {
  test(`${name} in the environment is refused, unless ${meant} is set too or it is named as another program's`, () => {
    const refusal = new ConfigError(`the environment: there is no setting ${name}; did you mean ${meant}? ${ignore}`)
    assert.throws(() => readConfig({ [name]: 'x' }), refusal)
    assert.throws(() => readConfig({ [name]: 'x', [meant]: '' }), refusal)
    const right = { DATABASE_URL: 'postgres://db/c', PORT: '5', WINDOW: 'off', WORKER: 'off', SETTINGS_IGNORE: 'X' }
    readConfig({ [name]: 'x', [meant]: right[meant] })
    readConfig({ [name]: 'x', SETTINGS_IGNORE: `POSTGRES_POST, ${name}` })
    readConfig({ [name]: '' })
  })
}

test('variables of other programs are not refused', () => {
  const others = ['HOSTNAME', 'HOME', 'PWD', 'WINDOWID', 'REDIS_PORT', 'AWS_REGION', 'LOGNAME', 'host', 'port', 'Path']
  readConfig(Object.fromEntries(others.map((name) => [name, 'x'])))
})
