import { decimalsOf, type Estimate, type Money } from '@auction-catalogue/client'
import { useMemo } from 'react'
import { useHouse } from './api/index.ts'
import { useSettings } from './settings.ts'

const minute = 60_000

function createClock(language: string) {
  const [day, hour] = ['day', 'hour'].map(
    (unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'narrow' }),
  )
  const two = (value: number) => String(value).padStart(2, '0')
  return (milliseconds: number): string => {
    const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
    const [days, hours, minutes] = [86_400, 3_600, 60].map((unit) => Math.floor(seconds / unit))
    if (days! > 0) return `${day!.format(days!)} ${hour!.format(hours! % 24)}`
    return `${hours! > 0 ? `${hours}:${two(minutes! % 60)}` : minutes}:${two(seconds % 60)}`
  }
}

function createFormats(language: string, timeZone: string) {
  const printClock = createClock(language)
  const moneys = new Map<string, Intl.NumberFormat>()
  const parts = ({ amount, currency }: Money) => {
    const decimals = decimalsOf(currency)
    const scale = 10 ** decimals
    const digits = amount % scale === 0 ? 0 : decimals
    const name = `${currency}${digits}`
    if (!moneys.has(name)) {
      const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
      moneys.set(name, new Intl.NumberFormat(language, { style: 'currency', currency, ...options }))
    }
    return moneys.get(name)!.formatToParts(amount / scale)
  }
  const join = (all: Intl.NumberFormatPart[]) => all.map(({ value }) => value).join('')
  const money = (value: Money) => join(parts(value))
  const bare = (value: Money) => join(parts(value).filter(({ type }) => type !== 'currency')).trim()
  // Intl does not allow the zone's name beside a date style.
  const fields = {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  const dayTime = new Intl.DateTimeFormat(language, { ...fields, timeZoneName: 'short' })
  const exact = new Intl.DateTimeFormat(language, { ...fields, second: '2-digit', timeZoneName: 'short' })
  const time = new Intl.DateTimeFormat(language, { timeZone, timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(language, { timeZone, weekday: 'short', day: 'numeric', month: 'short' })
  const second = new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 })
  const isDay = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' })
  return {
    number: (value: number) => value.toLocaleString(language),
    money,
    /** `€ 12.000 – 18.000`: the currency stands once, on the side on which the language has it. */
    estimate({ low, high }: Estimate): string {
      if (low && high)
        return parts(low)[0]!.type === 'currency' ? `${money(low)} – ${bare(high)}` : `${bare(low)} – ${money(high)}`
      return low ? `≥ ${money(low)}` : high ? `≤ ${money(high)}` : ''
    },
    dayTime: (at: string | number) => dayTime.format(new Date(at)),
    exact: (at: string | number) => exact.format(new Date(at)),
    time: (at: string | number) => time.format(new Date(at)),
    day: (at: string | number) => day.format(new Date(at)),
    isSameDay: (one: number, other: number) => isDay.format(one) === isDay.format(other),
    /** `12:05`, `1:02:03` or `3d 4h`: the time until an instant. */
    countdown: printClock,
    duration: (milliseconds: number) =>
      milliseconds < minute ? second.format(Math.round(milliseconds / 1000)) : printClock(milliseconds),
    /** A decimal string of hundredths: `22.5`. */
    percentage: (decimal: string) => percent.format(Number(decimal) / 100),
  }
}

const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone

function isKnown(timeZone: string): boolean {
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone }))
  } catch {
    return false
  }
}

/** The time zone while none is chosen: that of the house, or of the browser if the house has none that it knows. */
export function useUsualZone(): { zone: string; isHouse: boolean } {
  const zone = useHouse()?.time_zone
  return zone && isKnown(zone) ? { zone, isHouse: true } : { zone: browserZone, isHouse: false }
}

/** The time zone in which times are shown. */
export function useTimeZone(): string {
  const { zone } = useUsualZone()
  return useSettings().timeZone ?? zone
}

/** Prints money, times and numbers in the chosen language, or in another `one`, and in the time zone. */
export function useFormats(one?: string) {
  const { language: chosen } = useSettings()
  const language = one ?? chosen
  const timeZone = useTimeZone()
  return useMemo(() => {
    // British English writes dates differently from American, and Swiss German money differently from German.
    const region = navigator.languages.find((tag) => tag.startsWith(`${language}-`))
    return createFormats(region ?? language, timeZone)
  }, [language, timeZone])
}
