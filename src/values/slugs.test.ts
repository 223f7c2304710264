import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseSlug, slugify } from './slugs.ts'

test('a slug has the letters and digits of a title', () => {
  const slugs: [title: string, slug: string][] = [
    ['Spring Sale 2026', 'spring-sale-2026'],
    ['  Große Æsthetik – œuvres d’été!  ', 'grosse-aesthetik-oeuvres-dete'],
    ['Łódź/Ørsted', 'lodz-orsted'],
    ['拍卖', 'auction'],
    ['', 'auction'],
    [`${'a'.repeat(79)} bcd`, 'a'.repeat(79)],
  ]
  for (const [title, slug] of slugs) assert.equal(slugify(title), slug)
})

test('a slug that is taken gets a number', () => {
  assert.equal(chooseSlug(new Set(), 'sale'), 'sale')
  assert.equal(chooseSlug(new Set(['sale', 'sale-2', 'sale-4']), 'sale'), 'sale-3')
})
