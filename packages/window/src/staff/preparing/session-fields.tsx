import type { Session } from '@auction-catalogue/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { catalogue, useMay } from '../../api/index.ts'
import { decimalOf } from '../../amounts.ts'
import { useTimeZone } from '../../formats.ts'
import { useSettings } from '../../settings.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { printTerms, timedNames } from './terms.ts'

/** The fields of a session's terms: those that it has, or those of a new one with this reference. */
export function SessionFields({ session, reference }: { session?: Session; reference?: string }) {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const timeZone = useTimeZone()
  const { language } = useSettings()
  const [kind, setKind] = useState(session?.kind ?? 'timed')
  const mayReadStrategies = useMay('bidding_step_configurations.read')
  const stored = session ? printTerms(session, timeZone) : { group_size: '1', interval_seconds: '60' }
  const value = (name: string) => (stored as Record<string, string>)[name] ?? ''
  const time = (name: string, label: string) => (
    <label>
      {label}
      <input
        type="datetime-local"
        name={name}
        required={!session}
        step={value(name).endsWith(':00') || value(name) === '' ? 60 : 1}
        defaultValue={value(name).replace(/:00$/, '')}
      />
    </label>
  )
  return (
    <>
      <label>
        {own.sessionTitle}
        <input name="title" required autoComplete="off" dir="auto" defaultValue={value('title')} />
      </label>
      {!session && (
        <>
          <label>
            {texts.reference}
            <input name="external_reference" required autoComplete="off" defaultValue={reference} />
          </label>
          <label>
            {own.kind}
            <select name="kind" value={kind} onChange={({ target }) => setKind(target.value as Session['kind'])}>
              <option value="timed">{texts.timed}</option>
              <option value="live">{texts.live}</option>
            </select>
          </label>
        </>
      )}
      <p className="quiet">{own.zone(timeZone)}</p>
      {time('opens_at', own.opensAt)}
      {kind === 'live' && time('closes_at', own.closesAt)}
      {kind === 'timed' && (
        <>
          {time('first_closes_at', own.firstClosesAt)}
          {timedNames.map((name) => (
            <label key={name}>
              {own[name]}
              <input type="number" name={name} min="0" step="1" defaultValue={value(name)} />
            </label>
          ))}
        </>
      )}
      <label>
        {own.premium}
        <input
          name="premium"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={value('premium').replace('.', decimalOf(language))}
        />
      </label>
      {mayReadStrategies && <StrategyField stored={value('increment_strategy')} />}
    </>
  )
}

function StrategyField({ stored }: { stored: string }) {
  const own = useStaffTexts().preparing
  const texts = useTexts()
  const { data } = useQuery({
    queryKey: ['strategies'],
    queryFn: async ({ signal }) => (await catalogue().incrementStrategies.list({ limit: 100 }, { signal }).page()).data,
  })
  return (
    <label>
      {own.strategy}
      {/* Drawn anew once the strategies are there, so that the stored one is chosen. */}
      <select key={String(data !== undefined)} name="increment_strategy" defaultValue={stored}>
        {(stored === '' || data === undefined) && <option value={stored}>{texts.none}</option>}
        {data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
