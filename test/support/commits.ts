import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../src/db/pool.ts'
import { openTunnel } from './tunnel.ts'

/**
 * The fate of a commit whose connection breaks: `cut` before the server gets it; `late`, when the server gets it only
 * after the client has lost the connection; `swallow`, when it is done and the answer is lost; `deny`, when a pooler
 * then reports a lost server.
 */
export const faults = ['cut', 'late', 'swallow', 'deny'] as const
export type Fault = (typeof faults)[number]

const lateMilliseconds = 300

// As pgbouncer prints it.
const lostServer = printError('SFATAL', 'C08P01', 'Mserver conn crashed?')

function printError(...fields: string[]): Buffer {
  const text = Buffer.from(`${fields.join('\0')}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}

type Message = { type: string; bytes: Buffer }

// Messages in the framing of PostgreSQL's protocol: a type, a length, and the rest. The first message of a client has
// no type.
function openReader(side: 'client' | 'server') {
  let untyped = side === 'client'
  let rest: Buffer = Buffer.alloc(0)
  return (piece: Buffer): Message[] => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const messages: Message[] = []
    for (;;) {
      const head = untyped ? 0 : 1
      const size = rest.length < head + 4 ? Infinity : head + rest.readInt32BE(head)
      if (rest.length < size) return messages
      messages.push({ type: untyped ? '' : String.fromCharCode(rest[0]!), bytes: rest.subarray(0, size) })
      rest = rest.subarray(size)
      untyped = false
    }
  }
}

const textsOf = ({ bytes }: Message) => bytes.toString('utf8', 5).split('\0')

/** Finds the statement that a message executes, by its text or the name of the prepared statement. */
function openStatements() {
  const prepared = new Map<string, string>()
  return (message: Message): string[] => {
    if (message.type === 'Q') return [textsOf(message)[0]!]
    if (message.type === 'B') return [prepared.get(textsOf(message)[1]!)!]
    if (message.type === 'P') prepared.set(textsOf(message)[0]!, textsOf(message)[1]!)
    return []
  }
}

/**
 * A proxy to a database that breaks commits. `choose` gets the committed statements and returns the fault, or
 * undefined to pass them: the statements of a transaction, one per line with COMMIT last, or a single statement
 * outside of one. `settled` waits until the server has finished those with a fault.
 */
export async function openCommitProxy(connection: Connection, choose: (statements: string) => Fault | undefined) {
  const strikes = new Set<Promise<void>>()
  const tunnel = await openTunnel(connection, (client, server) => {
    const [readClient, readServer, nameStatement] = [openReader('client'), openReader('server'), openStatements()]
    const answered = Promise.withResolvers<void>()
    let [isInTransaction, isStruck] = [false, false]
    // Statements may travel together. The server reports for each, and for a new connection, that it is ready again.
    let unanswered = 1
    let held: Buffer[] = []
    let statements: string[] = []
    let transaction: string[] = []

    const strike = async (fault: Fault, bytes: Buffer) => {
      isStruck = true
      unanswered += 1
      if (fault === 'cut' || fault === 'late') client.destroy()
      if (fault === 'late') await sleep(lateMilliseconds)
      if (fault === 'cut') server.end()
      else server.write(bytes)
      await answered.promise
      if (fault === 'deny') await new Promise<void>((resolve) => client.end(lostServer, resolve))
      server.destroy()
    }

    client.on('data', (piece) => {
      for (const message of readClient(piece)) {
        held.push(message.bytes)
        statements.push(...nameStatement(message))
        // Messages that prepare and execute statements are sent with the message that ends them.
        if ('PBDEC'.includes(message.type || ' ')) continue
        const bytes = Buffer.concat(held)
        if (!'QS'.includes(message.type || ' ')) {
          held = []
          server.write(bytes)
          continue
        }
        let fault: Fault | undefined
        for (const statement of statements) {
          transaction = isInTransaction ? [...transaction, statement] : [statement]
          const commits = (isInTransaction ? /^commit\b/i : /^(?!begin\b)/i).test(statement)
          if (commits && !isStruck) fault ??= choose(transaction.join(';\n'))
          if (/^(begin|start transaction)\b/i.test(statement)) isInTransaction = true
          if (/^(commit|rollback)\b/i.test(statement)) isInTransaction = false
        }
        ;[held, statements] = [[], []]
        if (isStruck) return
        if (fault === undefined) {
          unanswered += 1
          server.write(bytes)
          continue
        }
        const struck = strike(fault, bytes).finally(() => strikes.delete(struck))
        strikes.add(struck)
      }
    })
    server.on('data', (piece) => {
      for (const { type } of readServer(piece)) if (type === 'Z') unanswered -= 1
      if (isStruck && unanswered === 0) answered.resolve()
      if (!isStruck) client.write(piece)
    })
    client.on('close', () => isStruck || server.destroy())
    server.on('close', () => answered.resolve())
  })
  return {
    ...tunnel,
    settled: () => Promise.all(strikes),
  }
}
