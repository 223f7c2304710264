import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import { short } from './clerks.ts'
import { createHands, takeAndClose } from './hands.ts'
import * as staff from './staff-tasks.ts'
import { findLots, findSession, openSharedStage, skip } from './support.ts'

describe(
  'the tasks of staff, with the keyboard alone, by the roles and names that a screen reader says',
  { skip },
  async () => {
    const stage = await openSharedStage()

    /** A person with a keyboard on a page of this address. */
    async function sit(key: string, address: string) {
      const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.goto(`${stage.origin}/#${address}`)
      return { context, ...createHands(page, { hasPointer: false }) }
    }
    const readLots = (session: string, key: string) => findLots(stage, session, key)
    const readResults = async (session: string, key: string) => (await readLots(session, key)).map(short)

    test('a session is made from a heap of items, put in order, priced, mended, published, and opened for bids', async () => {
      const key = await staff.loadHeap(stage, 'toetsen-hoop', 6)
      const hands = await sit(key, '/')
      await staff.makeSession(hands, 6)
      await staff.orderLots(hands)
      await staff.mendLots(hands, path.join(stage.dataDir, 'toetsen-hoop.jpg'))
      const session = await findSession(stage, 'W%2FA', key)
      const { published, customer_bidding_enabled } = await stage.call(`/sessions/${session}`, 'GET', undefined, key)
      assert.deepEqual([published, customer_bidding_enabled], [true, true])
      for (const { active, starting_bid } of await readLots(session, key)) assert.ok(active && starting_bid !== null)
      await hands.context.close()
    })

    test('an online sale is watched, and a complaint about a bid is answered', async () => {
      const { key, session } = await staff.loadOnlineSale(stage, 'toetsen-bord')
      const hands = await sit(key, `/sessions/${session}`)
      await staff.watchSale(hands)
      assert.deepEqual(await readResults(session, key), [null, null, null, null, null])
      await staff.refuseBid(stage, { key, session })
      await staff.answerComplaint(hands, 'Kavel 2')
      await takeAndClose(hands, /^Cancel the bid/, 'Cancel the bid', 'Highest bid: No bid.', {
        Reason: 'a wrong paddle',
      })
      await hands.page.getByRole('region', { name: 'Bids' }).getByText('a wrong paddle').waitFor()
      await hands.context.close()
    })

    test('a saleroom session is recorded with every key, finished and corrected', async () => {
      const { key, session } = await staff.loadSaleroom(stage, 'toetsen-zaal', 10)
      const hands = await sit(key, `/sessions/${session}`)
      await staff.recordSession(hands)
      const sold = Array.from({ length: 4 }, () => 'sold 15000')
      assert.deepEqual(await readResults(session, key), [
        ...sold,
        'unsold',
        'withdrawn',
        'unsold',
        'sold',
        'sold 9000',
        'sold 12000',
      ])
      await hands.use(hands.page.getByRole('link', { name: 'Results', exact: true }))
      const terms = { Price: '160', Reason: 'misheard' }
      await takeAndClose(hands, 'Correct the result of lot 1', 'Correct', 'Lot 1: Sold €160.', terms)
      assert.equal((await readResults(session, key))[0], 'sold 16000')
      await hands.context.close()
    })

    test('the catalogue is printed, and the page is shown to a client', async () => {
      const { key, session } = await staff.loadSaleroom(stage, 'papier', 2)
      const { page, context, use, choose } = await sit(key, `/sessions/${session}`)
      await page.evaluate(() => {
        window.print = () => {
          document.body.dataset['printed'] = document.title
        }
      })
      await use(page.getByRole('link', { name: 'Prints' }))
      await choose(page.getByRole('combobox', { name: 'Paper' }), 'Catalogue list')
      await page.getByRole('row', { name: /Kavel 2/ }).waitFor()
      await use(page.getByRole('button', { name: 'Print' }))
      await page.waitForSelector('body[data-printed$="Catalogue list"]')
      await use(page.getByRole('button', { name: 'Client view' }))
      await page.getByRole('navigation', { name: 'Zitting papier' }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Results' }).count(), 0)
      await context.close()
    })
  },
)
