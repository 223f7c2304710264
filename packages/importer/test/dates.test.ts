import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dateOrders, parseInstant } from '../src/mapping/dates.ts'
import { Misfit } from '../src/misfit.ts'

const dutch = (text: string) => parseInstant(text, 'd-m-y', 'nl', 'Europe/Amsterdam')
const english = (text: string) => parseInstant(text, 'm-d-y', 'en', 'UTC')

/** The time that the clocks of a zone show, as `2026-04-12 19:30:00`. */
const show = (instant: number, zone: string) =>
  new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(instant)

test('a date and a time give the first instant at which the clocks of the zone show them, in every zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
      fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2040, 0) / 1000 }),
      (zone, seconds) => {
        const shown = show(seconds * 1000, zone)
        const instant = Date.parse(parseInstant(shown, 'd-m-y', 'nl', zone))
        assert.equal(show(instant, zone), shown)
        assert.ok(instant <= seconds * 1000)
      },
    ),
    { numRuns: 2000 },
  )
})

test('a time that the clocks skip in spring is refused, and one that they repeat in autumn is the first of the two', () => {
  for (const [text, zone] of [
    ['30-03-2031 02:30', 'Europe/Amsterdam'],
    ['30-03-2031 02:00', 'Europe/Amsterdam'],
    ['30-03-2031 02:59:59', 'Europe/Amsterdam'],
    ['10-03-2030 02:30', 'America/New_York'],
    ['06-10-2030 02:15', 'Australia/Lord_Howe'],
    ['30-12-2011 12:00', 'Pacific/Apia'],
  ] as const)
    assert.throws(() => parseInstant(text, 'd-m-y', 'nl', zone), {
      name: 'Misfit',
      message: `does not exist in ${zone}, where the clocks skip it: write another time`,
    })
  assert.equal(dutch('30-03-2031 01:59:59'), '2031-03-30T00:59:59.000Z')
  assert.equal(dutch('30-03-2031 03:00'), '2031-03-30T01:00:00.000Z')
  assert.equal(dutch('26-10-2031 02:30'), '2031-10-26T00:30:00.000Z')
})

test('months and weekdays are read by their names, their abbreviations and their first letters', () => {
  for (const text of [
    '12 sept 2027 19:30',
    '12 sept. 2027 19.30',
    'zo 12 sep 2027 19:30',
    'zo. 12 september 2027 om 19u30',
    'zo 12-09-2027 19.30 u.',
    'zo 12-09-2027 – 19 u 30',
    'Zondag, 12 september 2027 7:30 PM',
    '12-09-2027 7.30 p.m.',
  ])
    assert.equal(dutch(text), '2027-09-12T17:30:00.000Z', text)
  assert.equal(english('Sunday, September 12th, 2027 at 7:30 PM'), '2027-09-12T19:30:00.000Z')
  assert.equal(english('Weds 15 Sept 2027, 7.30pm'), '2027-09-15T19:30:00.000Z')
  for (const [text, locale] of [
    ['dom. 12/09/2027 ore 19,30', 'it'],
    ['domenica 12 settembre 2027 alle ore 19:30', 'it'],
    ['dimanche 12 septembre 2027 à 19 h 30', 'fr'],
    ['domingo 12 de septiembre de 2027, a las 19:30 h.', 'es'],
    ['So., 12. September 2027, 19.30 Uhr', 'de'],
    ['niedziela 12 września 2027 o godz. 19:30', 'pl'],
  ] as const)
    assert.equal(parseInstant(text, 'd-m-y', locale, 'UTC'), '2027-09-12T19:30:00.000Z', text)
  assert.equal(english('1 Sept 2027 12:05 am'), '2027-09-01T00:05:00.000Z')
  assert.equal(english('9/12/2027 12 PM'), '2027-09-12T12:00:00.000Z')
  assert.equal(parseInstant('7 décembre 1874 14h', 'd-m-y', 'fr', 'UTC'), '1874-12-07T14:00:00.000Z')
  assert.equal(parseInstant('1er avril 2027 à 14h', 'd-m-y', 'fr', 'UTC'), '2027-04-01T14:00:00.000Z')
  assert.equal(parseInstant('12 de abril de 2027 19:30', 'd-m-y', 'es', 'UTC'), '2027-04-12T19:30:00.000Z')
  assert.equal(parseInstant('Mo., 12. April 2027 19:30 Uhr', 'd-m-y', 'de', 'UTC'), '2027-04-12T19:30:00.000Z')
})

test('the numbers of a date give no digit to its time, in any order, with or without a dot at the end', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...dateOrders),
      fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 }),
      fc.constantFrom('-', '/', '.', '. ', ' '),
      fc.constantFrom(' ', '. ', ', ', '., ', '.', ''),
      fc.boolean(),
      (order, minutes, sign, end, isPadded) => {
        const right = new Date(minutes * 60_000).toISOString()
        const [, y, m, d, clock] = /^(\d+)-(\d+)-(\d+)T(\d+:\d+)/.exec(right) as unknown as string[]
        const date = order.split('-').map((part) => {
          const padded = { y, m, d }[part]!
          return isPadded ? padded : String(Number(padded))
        })
        const text = `${date.join(sign)}${end}${clock}`
        const read = () => parseInstant(text, order, 'en', 'UTC')
        if (end === '.' || end === '') assert.throws(read, Misfit, text)
        else assert.equal(read(), right, text)
      },
    ),
    { numRuns: 2000 },
  )
})

test('Hungarian, Chinese and Polish dates are read as they are written', () => {
  for (const [text, order, locale, right] of [
    ['2027.12.11. 10:00', 'y-m-d', 'hu', '2027-12-11'],
    ['2027. 12. 01. 10:00', 'y-m-d', 'hu', '2027-12-01'],
    ['2027. december 1. 10:00', 'y-m-d', 'hu', '2027-12-01'],
    ['2027. dec. 1. 10:00', 'd-m-y', 'hu', '2027-12-01'],
    ['2027. december 11., 10:00', 'y-m-d', 'hu', '2027-12-11'],
    ['2027年12月1日 10:00', 'y-m-d', 'zh', '2027-12-01'],
    ['2027年12月11日10:00', 'd-m-y', 'zh', '2027-12-11'],
    ['1 grudnia 2027 r. 10:00', 'd-m-y', 'pl', '2027-12-01'],
    ['1 grudnia 2027 r., godz. 10:00', 'd-m-y', 'pl', '2027-12-01'],
    ['11.12.2027 r. 10:00', 'd-m-y', 'pl', '2027-12-11'],
  ] as const)
    assert.equal(parseInstant(text, order, locale, 'UTC'), `${right}T10:00:00.000Z`, text)
  for (const text of ['2027. december 1110:00', '2027.12.1110:00', '2027.12.11.', '2027. december 11.'])
    assert.throws(() => parseInstant(text, 'y-m-d', 'hu', 'UTC'), Misfit, text)
})

test('a wrong weekday, a date without a year and an impossible hour are refused', () => {
  assert.throws(() => dutch('maandag 12 september 2027 19:30'), /has a weekday that does not fit its date/)
  for (const text of [
    'zo. 12 april',
    'zo. 12 april 19:30',
    '12 ju 2027 19:30',
    '12 j 2027 19:30',
    '12 foo 2027 19:30',
    '12-04-2027',
    '12-04-27 19:30',
    '31-02-2027 10:00',
    '12-04-2027 25:00',
    'morgen',
  ])
    assert.throws(() => dutch(text), Misfit, text)
  for (const text of ['9/12/2027 13:00 PM', '9/12/2027 0:30 AM', '9/12/2027 24:00', '9/12/2027 7:30 XM'])
    assert.throws(() => english(text), Misfit, text)
})

test('a year of four digits is one of our time: 0026 is no year', () => {
  assert.throws(() => parseInstant('12-04-0026 13:30', 'd-m-y', 'nl', 'UTC'), /is not a date and time: write d-m-y/)
})
