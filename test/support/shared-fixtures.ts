import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** Asks for a fixture that a test run shares (test/support/global-setup.ts). Returns its location. */
export async function askFor(name: 'database' | 'demo' | 'service'): Promise<string> {
  const address = process.env.TEST_FIXTURES
  if (address === undefined) throw new Error('run the tests with npm test, which starts what they share')
  const socket = connect(address)
  socket.write(name)
  const location = await text(socket)
  if (location === '') throw new Error(`the shared ${name} could not be made: the run has printed why`)
  return location
}
