import { useSyncExternalStore } from 'react'

/** The languages of the window, each by its own name. */
export const languages = { en: 'English', nl: 'Nederlands', de: 'Deutsch', fr: 'Français' } as const
export type Language = keyof typeof languages

export type Settings = {
  language: Language
  /** Null: that of the house. */
  timeZone: string | null
  theme: 'system' | 'light' | 'dark'
  /** Whether single characters are keys of the wall. Users with speech input switch them off (WCAG 2.1.4). */
  hasShortcuts: boolean
  /** The columns of the items, if staff have chosen them. */
  itemColumns?: readonly string[]
}

const spoken = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in languages)
let settings: Settings = {
  language: (spoken ?? 'en') as Language,
  timeZone: null,
  theme: 'system',
  hasShortcuts: true,
  ...(JSON.parse(localStorage.getItem('settings') ?? '{}') as Partial<Settings>),
}
const listeners = new Set<() => void>()

function show() {
  document.documentElement.dataset['theme'] = settings.theme
}
show()

/** Stores a setting in this browser. All other data of the window ends with its tab. */
export function changeSettings(change: Partial<Settings>): void {
  settings = { ...settings, ...change }
  localStorage.setItem('settings', JSON.stringify(settings))
  show()
  for (const listener of listeners) listener()
}

export const useSettings = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => settings,
  )
