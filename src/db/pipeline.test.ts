import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql, type RawBuilder } from 'kysely'
import { createTestDatabase } from '../../test/support/database.ts'
import { openTunnel } from '../../test/support/tunnel.ts'
import { errorCode } from './errors.ts'
import { sendAhead, sendLast } from './pipeline.ts'
import { openDatabase, type Database } from './pool.ts'

const database = await createTestDatabase()
const pieces: string[] = []
let breaksBegin = false
const tunnel = await openTunnel(database.connection, (client, server) => {
  client.on('data', (piece: Buffer) => {
    pieces.push(piece.toString('latin1'))
    server.write(breaksBegin ? Buffer.from(piece.toString('latin1').replace('begin\0', 'beg!n\0'), 'latin1') : piece)
  })
  server.on('data', (piece) => client.write(piece)).on('close', () => client.destroy())
  client.on('close', () => server.destroy())
})
const { db, pool } = openDatabase(tunnel.connection, 1)
after(async () => {
  await pool.end()
  await tunnel.close()
  await database.drop()
})
await sql`create table written (x int primary key)`.execute(db)

const write = (on: Database, x: number) => sendAhead(on, sql`insert into written values (${x})`)
const read = async (on: Database) =>
  (await sql<{ x: number }>`select x from written where x > ${0} order by x`.execute(on)).rows.map(({ x }) => x)
const run = (statement: RawBuilder<unknown>) => (tx: Database) => statement.execute(tx)
const inTransaction = <T>(work: (tx: Database) => Promise<T>) => db.transaction().execute(work)
const empty = () => sql`truncate written`.execute(db)

test('a statement sent ahead is executed before the next one, and travels with it', async () => {
  await empty()
  const work = async (tx: Database) => {
    const before = await read(tx)
    for (const x of [1, 2, 3]) await write(tx, x)
    return [before, await read(tx)]
  }
  await inTransaction(work)
  await empty()
  pieces.length = 0
  assert.deepEqual(await inTransaction(work), [[], [1, 2, 3]])
  assert.equal(pieces.length, 3, 'BEGIN with the first read, what is written with the second, and COMMIT')
  assert.deepEqual(await read(db), [1, 2, 3])
})

test('a statement sent ahead is committed even as the last one of a transaction, and outside of one', async () => {
  await empty()
  await inTransaction(async (tx) => write(tx, 1))
  await write(db, 2)
  assert.deepEqual(await read(db), [1, 2])
  await assert.rejects(write(db, 2), (error) => errorCode(error) === '23505')
})

const readLast = (on: Database, least = 0) =>
  sendLast(on, sql<{ x: number }>`select x from written where 1 / x >= ${least} order by x`.compile(on))

test('the last statement returns its rows, and travels with those before it and with COMMIT', async () => {
  const work = async (tx: Database) => {
    await write(tx, 1)
    await write(tx, 2)
    return readLast(tx)
  }
  await empty()
  await inTransaction(work)
  await empty()
  pieces.length = 0
  assert.deepEqual(await inTransaction(work), [{ x: 1 }, { x: 2 }])
  assert.equal(pieces.length, 1)
  assert.deepEqual(await read(db), [1, 2])
  assert.deepEqual(await readLast(db), [{ x: 1 }, { x: 2 }], 'outside of a transaction too')
})

test('when the last statement fails, nothing is committed, and the connection can be used again', async () => {
  await empty()
  const work = async (tx: Database) => {
    await write(tx, 0)
    return readLast(tx)
  }
  for (let repetition = 0; repetition < 2; repetition++) {
    await assert.rejects(inTransaction(work), (error) => errorCode(error) === '22012')
    assert.deepEqual(await read(db), [])
  }
})

test('no statement can follow the last one of a transaction', async () => {
  await empty()
  const work = async (tx: Database) => {
    await readLast(tx)
    await write(tx, 1)
  }
  await assert.rejects(inTransaction(work), /a transaction that is over/)
  assert.deepEqual(await read(db), [])
})

test('an error of a statement sent ahead ends its transaction, and has its cause', async () => {
  for (const next of [read, async () => undefined, (tx: Database) => write(tx, 9)]) {
    await empty()
    await write(db, 2)
    const work = async (tx: Database) => {
      await write(tx, 1)
      await write(tx, 2)
      return next(tx)
    }
    await assert.rejects(inTransaction(work), (error) => errorCode(error) === '23505')
    assert.deepEqual(await read(db), [2])
  }
})

test('a value that cannot be sent fails only its statement, and the transaction with it', async () => {
  const show = (value: unknown) => sql<{ shown: string }>`select ${value}::text as shown`.execute(db)
  for (let repetition = 0; repetition < 2; repetition++) {
    await assert.rejects(show({ count: 1n }), TypeError)
    assert.deepEqual((await show({ count: 1 })).rows, [{ shown: '{"count":1}' }])
  }
  await empty()
  const work = async (tx: Database) => {
    await write(tx, 1)
    await sendAhead(tx, sql`insert into written values (${{ count: 1n }})`)
  }
  await assert.rejects(inTransaction(work), TypeError)
  assert.deepEqual(await read(db), [])
})

test('a rollback drops the statements that were not sent yet, and the connection can be used again', async () => {
  await empty()
  const thrown = new Error('no')
  const refuse = async (tx: Database, first?: (tx: Database) => Promise<unknown>) => {
    await first?.(tx)
    await write(tx, 1)
    throw thrown
  }
  for (const first of [undefined, read])
    await assert.rejects(
      inTransaction((tx) => refuse(tx, first)),
      thrown,
    )
  assert.deepEqual(await inTransaction(read), [])
  await inTransaction(async () => undefined)
  assert.deepEqual(await read(db), [])
})

test('when BEGIN fails, no statement of the transaction takes effect', async () => {
  await empty()
  const firsts = [run(sql`insert into written values (${1})`), read, async () => undefined]
  for (const first of firsts) {
    breaksBegin = true
    const work = async (tx: Database) => {
      await first(tx)
      await write(tx, 2)
      return read(tx)
    }
    await assert.rejects(inTransaction(work), (error) => errorCode(error) === '26000')
    breaksBegin = false
    assert.deepEqual(await read(db), [])
  }
})

test('a transaction that goes on after a failed statement does not pass for committed', async () => {
  await empty()
  const work = async (tx: Database) => {
    await sql`insert into written values (1)`.execute(tx)
    await assert.rejects(sql`insert into written values (1)`.execute(tx), { code: '23505' })
  }
  await assert.rejects(inTransaction(work), /is not stored/)
  assert.deepEqual(await read(db), [])
  await inTransaction(run(sql`insert into written values (2)`))
  assert.deepEqual(await read(db), [2])
})
