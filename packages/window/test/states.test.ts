import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openClerkDesk } from './clerks.ts'
import { askStaff, take, takeAndClose } from './preparing.ts'
import { live, openSharedStage, skip } from './support.ts'

describe('the states of sales and lots, in words', { skip }, async () => {
  const stage = await openSharedStage()

  test('a draft auction stays under Prepare when its session opens, is called a draft, and is published there and beside the sentence', async () => {
    await stage.load([
      { type: 'house', slug: 'concept', name: 'concept', default_locale: 'nl', currency: 'EUR' },
      ...['a', 'b'].flatMap((ref) => [
        { type: 'auction', ref, external_reference: ref, title: `Veiling ${ref}`, published: false },
        {
          type: 'session',
          auction: ref,
          external_reference: ref,
          titles: { nl: `Zitting ${ref}` },
          ...live,
          published: true,
        },
      ]),
    ])
    const key = await stage.issueKey('concept', { staff: 'Anna' })
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    const line = (name: string) => page.getByRole('link', { name: new RegExp(`Zitting ${name}.*Draft`) })
    await line('a').waitFor()
    assert.equal(await page.getByText('Running').count(), 0)
    await page.goto(`${stage.origin}/#/prepare`)
    await line('a').waitFor()
    await page.getByRole('region', { name: 'Veiling b' }).getByRole('button', { name: 'Publish' }).click()
    await takeAndClose(page, 'Publish', 'The sale is published.')
    await line('b').waitFor({ state: 'detached' })
    await line('a').click()
    await page.locator('.facts .badge', { hasText: 'Draft' }).waitFor()
    await page.getByText('The sale “Veiling a” is a draft: the public does not see this session.').waitFor()
    await page.getByRole('button', { name: 'Publish the sale “Veiling a”' }).click()
    await take(page, 'Publish', 'The sale is published.')
    await page.locator('.facts .badge', { hasText: 'Running' }).waitFor()
    await context.close()
  })

  test('in a running saleroom session a decided lot is open nowhere, and one without a result is not called closed', async () => {
    const { page, context, session, key, readLots } = await openClerkDesk(stage, 'woorden', 5)
    const lots = await readLots()
    await askStaff(stage, key, 'PATCH', `/lots/${lots[0]!.id}`, { result: { state: 'unsold' } })
    await askStaff(stage, key, 'PATCH', `/lots/${lots[1]!.id}`, { result: { state: 'withdrawn' } })
    await page.locator('.facts').getByText('3 lots still open').waitFor()
    const due = page.locator('.sale-head div', { hasText: 'Without a result' })
    assert.equal(await due.locator('dd').textContent(), '3')
    await page.goto(`${stage.origin}/#/sessions/${session}/results`)
    await page.locator('.results tbody tr').nth(4).waitFor()
    assert.equal(await page.getByText('result to follow').count(), 0)
    await page.goto(`${stage.origin}/#/sessions/${session}`)
    await page.getByRole('button', { name: 'Still open 3' }).click()
    await page.getByText('3 of 5 lots', { exact: true }).waitFor()
    await context.close()
  })
})
