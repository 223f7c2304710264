import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { loadPart } from './load.ts'

const SettingsDialog = lazy(async () => ({
  default: (await loadPart(() => import('./settings-dialog.tsx'))).SettingsDialog,
}))

/** Opens the settings: language, time zone, appearance, and signing out. */
export function SettingsButton() {
  const texts = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="plain" onClick={() => setOpen(true)}>
        {texts.settings}
      </button>
      {isOpen && (
        <Suspense>
          <SettingsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
