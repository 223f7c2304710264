import { connection, useConnection, useMay } from '../api/index.ts'
import { useUsualZone } from '../formats.ts'
import { changeSettings, languages, useSettings, type Language, type Settings } from '../settings.ts'
import { useTexts } from '../texts/texts.tsx'
import { CloseButton, Dialog } from './dialog.tsx'

/** The settings: language, time zone, appearance, and signing out. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts()
  const { language, timeZone, theme, hasShortcuts } = useSettings()
  const { key } = useConnection()
  const isStaff = useMay('staff')
  const usual = useUsualZone()
  const zones = new Set([...(timeZone === null ? [] : [timeZone]), 'UTC', ...Intl.supportedValuesOf('timeZone')])
  return (
    <Dialog title={texts.settings} onClose={onClose}>
      <div className="fields">
        <label>
          {texts.language}
          <select value={language} onChange={(event) => changeSettings({ language: event.target.value as Language })}>
            {Object.entries(languages).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {texts.timeZone}
          <select value={timeZone ?? ''} onChange={(event) => changeSettings({ timeZone: event.target.value || null })}>
            <option value="">{(usual.isHouse ? texts.zoneOfHouse : texts.zoneOfBrowser)(usual.zone)}</option>
            {[...zones].map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </label>
        <label>
          {texts.theme}
          <select
            value={theme}
            onChange={(event) => changeSettings({ theme: event.target.value as Settings['theme'] })}
          >
            <option value="system">{texts.themeSystem}</option>
            <option value="light">{texts.themeLight}</option>
            <option value="dark">{texts.themeDark}</option>
          </select>
        </label>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={hasShortcuts}
          onChange={({ target }) => changeSettings({ hasShortcuts: target.checked })}
        />
        {texts.shortcuts}
      </label>
      {key !== null && !isStaff && (
        <p className="quiet">
          {texts.noStaff} <code>bin/catalogue keys create --house HOUSE --all --staff --name NAME</code>
        </p>
      )}
      <p>
        <a href="/docs">{texts.documentation}</a>
      </p>
      <div className="actions">
        {key !== null && (
          <button type="button" onClick={() => connection.signOut()}>
            {texts.signOut}
          </button>
        )}
        <CloseButton of={texts.settings} onClose={onClose} isPrimary />
      </div>
    </Dialog>
  )
}
