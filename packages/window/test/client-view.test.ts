import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findBarriers, findSession, openSharedStage, skip, timed, type Lot } from './support.ts'

describe('what staff show to a client', { skip }, async () => {
  const stage = await openSharedStage()
  await stage.createSale('toon', 'Klokken', { ...timed, published: true }, [{}, { active: false }])
  const key = await stage.issueKey('toon', { staff: 'Anna' })
  const session = await findSession(stage, 's', key)
  const [lot] = await stage.call<Lot[]>(`/lots?session=${session}`, 'GET', undefined, key)
  const at = (path: string) => `${stage.origin}/#/sessions/${session}${path}`

  test('the client view of staff hides their tools and pages, stays through a reload, and is left again', async () => {
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    const view = page.getByRole('button', { name: 'Client view' })
    await page.waitForSelector('.sessions .count')
    await page.goto(at(`/lots/${lot!.id}`))
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
    await page.getByText('Drop pictures here').waitFor()
    await page.getByText('Reference').waitFor()
    await view.press('Enter')
    await page.getByText('Drop pictures here').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('link', { name: 'Edit', exact: true }).count(), 0)
    assert.equal(await page.getByText('Reference').count(), 0)
    assert.equal(await view.getAttribute('aria-pressed'), 'true')
    assert.deepEqual(await findBarriers(page), [])
    await page.reload()
    await page.getByRole('heading', { name: lot!.title }).waitFor()
    await page.goto(at(''))
    await page.waitForSelector('.lot-card')
    const tabs = page.locator('.tabs a')
    assert.deepEqual(await tabs.allTextContents(), ['Wall', 'List', 'Schedule'])
    for (const name of [/^Off/, /^On/, /^Without photograph/, /^Pictures without/, 'Save as CSV', /^Select/])
      assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
    // A filter of staff that was chosen before is left with their view.
    await page.goto(at('?only=inactive'))
    await page.getByText('2 lots', { exact: true }).waitFor()
    for (const path of ['/results', '/pictures', `/lots/${lot!.id}/history`]) {
      await page.goto(at(path))
      await page.getByText('This page is for staff.').waitFor()
    }
    await view.click()
    await page.getByRole('region', { name: 'Journal' }).waitFor()
    // From a page of staff it leads to what a client may see.
    await view.click()
    await page.waitForURL(at(`/lots/${lot!.id}`))
    await page.getByRole('heading', { name: lot!.title }).waitFor()
    await context.close()
  })
})
