import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { chromium } from 'playwright-core'
import { lotsOn, openStorefront } from '../test/support/storefront.ts'

const chromiumPath = '/usr/bin/chromium'
const skip = !existsSync(chromiumPath) && 'no Chromium is installed (apt-get install chromium)'
const storefront = await openStorefront()
const { get, listSales, origin, until } = storefront
const browser = skip
  ? undefined
  : await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'], timeout: 0 })
after(async () => {
  await browser?.close()
  await storefront.close()
})
const [sale] = await listSales()
const paths = [
  '/',
  `/sales/${sale}`,
  lotsOn((await get(`/sales/${sale}`)).text)[0]!,
  '/search?q=zilver',
  '/search?q=qqqqx',
]
for (const path of paths.slice(0, 4)) await until(path, ({ text }) => /<main>.*<img[^>]* srcset="h/s.test(text))

test(
  'a photograph is asked for in the width in which it is drawn, and no page scrolls sideways',
  { skip },
  async () => {
    for (const width of [390, 700, 1100, 1700, 2600]) {
      const page = await browser!.newPage({ viewport: { width, height: 900 } })
      page.setDefaultTimeout(0)
      for (const path of paths) {
        await page.goto(origin + path)
        const found = await page.evaluate<{ off: number; sideways: boolean }>(`(async () => {
        const picture = document.querySelector('main img[sizes]')
        const sideways = document.documentElement.scrollWidth > innerWidth
        if (!picture) return { off: 0, sideways }
        await picture.decode()
        const { width, height } = picture.getBoundingClientRect()
        const drawn = Math.min(width, (height * picture.naturalWidth) / picture.naturalHeight)
        return { off: Math.abs(drawn - picture.naturalWidth), sideways }
      })()`)
        assert.ok(found.off <= 2, `${path} at ${width}: off by ${found.off}`)
        assert.equal(found.sideways, false, `${path} at ${width}`)
      }
      await page.close()
    }
  },
)

test('a page loads nothing that its policy refuses, and axe finds no barrier', { skip }, async () => {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  for (const path of paths) {
    const page = await browser!.newPage({ viewport: { width: 390, height: 800 } })
    page.setDefaultTimeout(0)
    const refused: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && refused.push(message.text())))
    await page.goto(origin + path)
    const font = await page.evaluate<string>('getComputedStyle(document.querySelector("h1")).fontFamily')
    assert.match(font, /Palatino/)
    assert.deepEqual(refused, [], path)
    await page.evaluate(axe)
    const barriers = await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')
    assert.deepEqual(barriers, [], path)
    await page.close()
  }
})

test('a photograph of a lot is magnified by wheel, pinch, keys and in full screen', { skip }, async () => {
  const page = await browser!.newPage({ hasTouch: true, viewport: { width: 900, height: 700 } })
  page.setDefaultTimeout(0)
  await page.goto(origin + paths[2]!)
  const link = page.locator('a.photograph').first()
  const shown = "new DOMMatrix(document.querySelector('.near img').style.transform).a"
  // The policy of the page forbids the polling of the browser's driver.
  const until = async (condition: string) => {
    while (!(await page.evaluate<boolean>(condition))) await sleep(20)
  }
  const isScaled = (condition: string) => until(`${shown} ${condition}`)
  await link.click()
  await page.waitForSelector('.magnifier[open]')
  const widest = await link.getAttribute('href')
  await until(`document.querySelector('.near img').src === '${widest}'`)
  await isScaled('=== 1')
  await page.keyboard.press('+')
  await isScaled('=== 1.5')
  await page.keyboard.press('0')
  await isScaled('=== 1')
  await page.mouse.move(200, 200)
  await page.mouse.wheel(0, -500)
  // The whole turn, of which no part is left for later.
  await isScaled('> 2.7')
  await page.getByRole('button', { name: 'Hele foto' }).click()
  await isScaled('=== 1')
  const touch = await page.context().newCDPSession(page)
  for (const [type, ...xs] of [
    ['touchStart', 280, 320],
    ['touchMove', 240, 360],
    ['touchMove', 200, 400],
    ['touchEnd'],
  ] as const)
    await touch.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y: 300, id })) })
  await isScaled('> 4')
  await page.keyboard.press('f')
  await until('document.fullscreenElement !== null')
  await page.getByRole('button', { name: 'Volledig scherm' }).click()
  await until('document.fullscreenElement === null')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.magnifier', { state: 'hidden' })
})
