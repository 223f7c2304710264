import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { CreateBucketCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3'
import { until } from './pictures.ts'
import { findPort, stopProcess } from './process.ts'

const run = promisify(execFile)

/** Why a test that needs the S3 server of Ceph is skipped; false if it is installed. */
export const withoutCeph = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph'].some(
  (program) => spawnSync(program, ['--version']).error !== undefined,
)
  ? 'there is no radosgw, ceph-mon, ceph-osd or ceph on the PATH'
  : false

/** The credentials of the only user. */
export const credentials = { accessKeyId: 'catalogue', secretAccessKey: 'a secret of the tests' }

/**
 * A Ceph of one node in memory, with its S3 server and the bucket `pictures`, which allows anonymous reads of
 * `public/*`.
 */
export async function startCeph() {
  const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-ceph-'))
  const [port, monitorPort] = [await findPort(), await findPort()]
  const [cluster, disk] = [randomUUID(), randomUUID()]
  const monitor = `v2:127.0.0.1:${monitorPort}`
  const settings = `
    [global]
    fsid = ${cluster}
    mon initial members = mon
    mon host = [${monitor}]
    public addr = 127.0.0.1
    keyring = ${folder}/keyring
    run dir = ${folder}
    admin socket = ${folder}/$name.$pid.sock
    log file = ${folder}/$name.log
    pid file =
    osd objectstore = memstore
    memstore device bytes = 1073741824
    osd pool default size = 1
    osd pool default min size = 1
    osd pool default pg num = 1
    osd pool default pg autoscale mode = off
    osd crush chooseleaf type = 0
    osd class load list = *
    osd class default list = *
    mon data = ${folder}/mon
    mon allow pool size one = true
    mon data avail crit = 1
    osd data = ${folder}/osd
    rgw frontends = beast endpoint=127.0.0.1:${port}
    rgw user quota bucket sync interval = 1
    rgw bucket quota ttl = 0
`
  await writeFile(path.join(folder, 'ceph.conf'), settings.replaceAll(/^ +/gm, ''))
  for (const data of ['mon', 'osd']) await mkdir(path.join(folder, data))
  const ceph = async (program: string, ...words: string[]) =>
    (await run(program, ['-c', 'ceph.conf', ...words], { cwd: folder, timeout: 60_000 })).stdout
  const key = (await run('ceph-authtool', ['--gen-print-key'])).stdout.trim()
  const all = 'caps mon = "allow *"\ncaps osd = "allow *"\n'
  await writeFile(
    path.join(folder, 'keyring'),
    ['mon.', 'client.admin', 'osd.0'].map((name) => `[${name}]\nkey = ${key}\n${all}`).join(''),
  )
  await run('monmaptool', ['--create', '--fsid', cluster, '--addv', 'mon', `[${monitor}]`, 'monmap'], { cwd: folder })

  const children: ChildProcess[] = []
  const start = (program: string, ...words: string[]) => {
    const child = spawn(program, ['-c', 'ceph.conf', '-f', ...words], { cwd: folder, stdio: 'ignore' })
    children.push(child)
    return child
  }
  await ceph('ceph-mon', '--mkfs', '-i', 'mon', '--monmap', 'monmap', '--keyring', 'keyring')
  start('ceph-mon', '-i', 'mon')
  await ceph('ceph', 'osd', 'new', disk)
  await ceph('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', disk)
  start('ceph-osd', '-i', '0')
  const secrets = ['--access-key', credentials.accessKeyId, '--secret-key', credentials.secretAccessKey]
  await ceph('radosgw-admin', 'user', 'create', '--uid', 'catalogue', '--display-name', 'Catalogue', ...secrets)
  let gateway = start('radosgw', '-n', 'client.admin')
  const answers = async () => (await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))?.status === 200
  await until(answers)

  const endpoint = `http://127.0.0.1:${port}`
  const client = new S3Client({ endpoint, region: 'default', forcePathStyle: true, credentials })
  const statement = {
    Effect: 'Allow',
    Principal: '*',
    Action: 's3:GetObject',
    Resource: 'arn:aws:s3:::pictures/public/*',
  }
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  await client.send(new CreateBucketCommand({ Bucket: 'pictures' }))
  await client.send(new PutBucketPolicyCommand({ Bucket: 'pictures', Policy: policy }))

  return {
    port,
    endpoint,
    /** Kills the S3 server, and with it the requests under way. */
    async kill() {
      await stopProcess(gateway, 'SIGKILL')
    },
    /** Starts the S3 server again, with all acknowledged data. */
    async revive() {
      gateway = start('radosgw', '-n', 'client.admin')
      await until(answers)
    },
    /** Limits the stored bytes; 0 is no limit. */
    async limit(bytes: number) {
      const quota = ['quota', bytes > 0 ? 'enable' : 'disable', '--quota-scope', 'bucket', '--uid', 'catalogue']
      if (bytes > 0) await ceph('radosgw-admin', 'quota', 'set', ...quota.slice(2), '--max-size', String(bytes))
      await ceph('radosgw-admin', ...quota)
    },
    async stop() {
      client.destroy()
      const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      await Promise.all(running.map(async (child) => (child.kill('SIGKILL'), once(child, 'exit'))))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
