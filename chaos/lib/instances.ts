import { fork } from 'node:child_process'
import { environmentOf } from '../../test/support/process.ts'
import { supervise } from './processes.ts'

/** What became of an order: `unknown` if the database was lost, `fault` for an error that must not happen. */
export type Answer<Done> = { done: Done } | { refused: string } | { unknown: string } | { fault: string }

/** A supervised process that runs `program`, which carries out orders: see `answerOrders`. */
export function superviseInstance<Done>(
  program: string,
  settings: Record<string, string>,
  log: string,
  fail: (error: Error) => void,
) {
  const pending = new Map<number, (answer: Answer<Done>) => void>()
  const killed = { unknown: 'the instance was killed' }
  let orders = 0
  const spawn = () => {
    const child = fork(program, { env: environmentOf(settings), stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    child.on('message', ({ id, answer }: { id: number; answer: Answer<Done> }) => pending.get(id)?.(answer))
    child.once('exit', () => {
      for (const settle of pending.values()) settle(killed)
    })
    return child
  }
  const running = supervise(spawn, /the instance has started/, log, fail)
  return Object.assign(running, {
    async carryOut(order: object): Promise<Answer<Done>> {
      const id = orders++
      const answer = await new Promise<Answer<Done>>((settle) => {
        pending.set(id, settle)
        running.child!.send({ id, order }, (error) => error && settle(killed))
      })
      pending.delete(id)
      return answer
    },
  })
}

/** Carries out the orders of `superviseInstance`, in the process of the instance. */
export function answerOrders<Done>(
  carryOut: (order: never) => Promise<Done>,
  explain: (error: unknown) => Answer<Done>,
): void {
  process.on('message', ({ id, order }: { id: number; order: never }) => {
    const answered = carryOut(order).then((done): Answer<Done> => ({ done }), explain)
    void answered.then((answer) => process.send?.({ id, answer }, () => undefined))
  })
  process.once('disconnect', () => process.exit())
  process.stdout.write('the instance has started\n')
}
