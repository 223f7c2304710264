// Takes the pictures of the window in README.md and docs/window.md from the demo: npx node packages/window/pictures.ts
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { findLots, findSession, openOwnStage, settlePictures } from './test/support.ts'

const folder = path.join(import.meta.dirname, '../../docs/window')
const stage = await openOwnStage()
try {
  await mkdir(folder, { recursive: true })
  const session = await findSession(stage, 'veiling-113-online')
  const lot = (await findLots(stage, session)).find(({ title }) => title.includes('Hoogerwoud'))!
  const take = async (name: string, address: string, ready: string, options: Parameters<typeof stage.open>[1]) => {
    const { page, context } = await stage.open(undefined, options)
    await page.waitForSelector('.lot-card')
    await page.goto(`${stage.origin}/#/${address}`)
    await page.waitForSelector(ready)
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
    await page.waitForTimeout(1_000)
    await sharp(await page.screenshot())
      .webp({ quality: 82 })
      .toFile(path.join(folder, `${name}.webp`))
    await context.close()
  }
  const wide = { viewport: { width: 1280, height: 800 } }
  await settlePictures(stage, session)
  await take('wall', `sessions/${session}`, '.lot-card img', wide)
  await take('lot', `sessions/${session}/lots/${lot.id}`, '.gallery img', { ...wide, colorScheme: 'dark' })
  await take('schedule', `sessions/${session}/schedule`, '.plot svg', wide)
  await take('phone', `sessions/${session}`, '.lot-card img', { viewport: { width: 390, height: 844 } })
} finally {
  await stage.close()
}
