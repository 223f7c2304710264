import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { closeAfterwards } from './closing.ts'
import { findSession, live, openStage, skip, timed } from './support.ts'

type Lot = { lot_number: number; result: { state: string; amount: { amount: number } | null } | null }
type Role = Parameters<Page['getByRole']>[0]

describe(
  'the tasks of staff, with the keyboard alone, by the roles and names that a screen reader says',
  { skip },
  async () => {
    const stage = await openStage()
    closeAfterwards(stage)
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

    async function openSale(slug: string, terms: object, lots: Parameters<typeof stage.createSale>[3]) {
      await stage.createSale(slug, `Zitting ${slug}`, { ...terms, published: true }, lots)
      const key = (await stage.run('keys', 'create', '--house', slug, '--all', '--staff', '--name', 'Anna'))['key']!
      const session = await findSession(stage, 's', key)
      const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
      await page.waitForURL(new RegExp(session))
      const press = async (...keys: string[]) => {
        for (const each of keys) await page.keyboard.press(each)
      }
      /** Presses Tab until what has this role and name has the focus. In an open dialog only its own are found. */
      const reach = async (role: Role, name: string | RegExp) => {
        const wanted = page.getByRole(role, { name, exact: typeof name === 'string' })
        await wanted.first().waitFor()
        for (let pressed = 0; pressed < 150; pressed++) {
          const isThere = await wanted.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))
          if (isThere) return
          await press('Tab')
        }
        assert.fail(`Tab does not reach ${role} ${String(name)}`)
      }
      const enter = async (role: Role, name: string | RegExp) => {
        await reach(role, name)
        await press('Enter')
      }
      /** Opens a step, types its fields, rehearses it, hears what it would do, and does it. */
      const take = async (opener: string | RegExp, fields: Record<string, string>, said: string, name: string) => {
        await enter('button', opener)
        await page.getByRole('dialog').waitFor()
        for (const [label, text] of Object.entries(fields)) {
          await reach('textbox', new RegExp(label))
          await page.keyboard.type(text)
        }
        await enter('button', 'Rehearse')
        await page.getByRole('status').getByText(said).waitFor()
        await enter('button', name)
        await enter('button', /^Close/)
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        // The focus is on the page again, not lost.
        await page.waitForFunction(() => document.activeElement !== document.body)
      }
      const readResults = async () => {
        const lots = await stage.call<Lot[]>(`/lots?session=${session}&limit=100`, 'GET', undefined, key)
        return lots
          .toSorted((one, other) => one.lot_number - other.lot_number)
          .map(({ result }) => result && `${result.state} ${result.amount?.amount ?? ''}`.trim())
      }
      return { page, context, press, reach, enter, take, readResults }
    }

    test('a saleroom session is recorded, finished and corrected', async () => {
      const { page, context, press, reach, enter, take, readResults } = await openSale('hamer', live, [{}, {}, {}, {}])
      const ready = (lot: number) => page.getByRole('region', { name: `Lot ${lot} stands ready` }).waitFor()
      await enter('link', 'Desk')
      await ready(1)
      await reach('textbox', /^Price of lot 1/)
      await press('1', '5', '0', 'Enter')
      await ready(2)
      await press('p')
      await ready(3)
      await press('w')
      await page.getByRole('dialog', { name: 'Withdraw lot 3?' }).waitFor()
      await enter('button', 'Withdraw')
      await ready(4)
      await press('9', '0', 'Enter')
      await page.getByText('Every lot has a result.').first().waitFor()
      await page.waitForFunction(() => document.querySelectorAll('.clerk-log [data-state=stored]').length === 4)
      assert.deepEqual(await readResults(), ['sold 15000', 'unsold', 'withdrawn', 'sold 9000'])
      await enter('link', 'Results')
      await take('Finish the session', {}, 'The session is finished.', 'Finish')
      await take('Correct the result of lot 1', { Price: '160', Reason: 'misheard' }, 'Lot 1: Sold €160.', 'Correct')
      assert.deepEqual(await readResults(), ['sold 16000', 'unsold', 'withdrawn', 'sold 9000'])
      await context.close()
    })

    test('an online session is watched: a phone bid, a withdrawal, results, and the complaint about a bid', async () => {
      const lots = [-5, 60, 90].map((minutes) => {
        const closes_at = inMinutes(minutes)
        return { lot: { closes_at, scheduled_closes_at: closes_at, starting_bid: eur(10_000) } }
      })
      const terms = { ...timed, opens_at: '2026-01-01T10:00:00Z', customer_bidding_enabled: true }
      const { page, context, reach, press, enter, take, readResults } = await openSale('bord', terms, lots)
      await enter('link', 'Desk')
      await page.getByRole('region', { name: 'Closes next' }).waitFor()
      await take('Bid on lot 2', { Amount: '120' }, 'Lot 2: highest bid €120', 'Bid')
      await page.getByRole('log', { name: 'Bids as they come' }).getByText('€120').waitFor()
      await take('Withdraw lot 3', {}, 'Lot 3: Withdrawn.', 'Withdraw')
      await enter('link', 'Results')
      await reach('checkbox', 'Select lot 1')
      await press('Space')
      await take(/^Passed: 1 selected/, {}, 'Unsold: 1.', 'Passed')
      assert.deepEqual(await readResults(), ['unsold', null, 'withdrawn'])
      await enter('link', '2')
      await page.getByRole('region', { name: 'Journal' }).getByRole('row', { name: /Anna/ }).waitFor()
      await take(/^Cancel the bid/, { Reason: 'a wrong paddle' }, 'Highest bid: No bid.', 'Cancel the bid')
      await page.getByRole('region', { name: 'Bids' }).getByText('a wrong paddle').waitFor()
      await context.close()
    })

    test('the catalogue is printed, and the page is shown to a client', async () => {
      const { page, context, reach, press, enter } = await openSale('papier', live, [{}, {}])
      await page.evaluate(() => {
        window.print = () => {
          document.body.dataset['printed'] = document.title
        }
      })
      await enter('link', 'Prints')
      await reach('combobox', 'Paper')
      await press('ArrowDown')
      await page.getByRole('row', { name: /Kavel 2/ }).waitFor()
      await enter('button', 'Print')
      await page.waitForSelector('body[data-printed$="Catalogue list"]')
      await enter('button', 'Client view')
      await page.getByRole('navigation', { name: 'Zitting papier' }).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Results' }).count(), 0)
      await context.close()
    })

    test('no page broke the content policy or threw an error', () => {
      assert.deepEqual(stage.complaints, [])
    })
  },
)
