import { useState, type FormEvent, type ReactNode } from 'react'
import { connection, isKey, tryKey, useConnection } from './api/index.ts'
import { SettingsButton } from './parts/settings-button.tsx'
import { Words } from './parts/problem.tsx'
import { useTexts } from './texts/texts.tsx'

/** Asks for a key, and tries it before the next page. */
export function SignIn() {
  const texts = useTexts()
  const { signedOut } = useConnection()
  const [problem, setProblem] = useState<ReactNode>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = (new FormData(event.currentTarget).get('key') as string).trim()
    if (!isKey(key)) return setProblem(texts.keyShape)
    setBusy(true)
    try {
      await tryKey(key)
      connection.signIn(key)
    } catch (error) {
      setProblem((error as { status?: number }).status === 401 ? texts.keyRefused : <Words error={error} />)
    }
    setBusy(false)
  }
  const reasons = { 'no-key': texts.linkNoKey, unknown: texts.keyRefused, ended: texts.keyRevoked, other: null }
  const words = problem ?? (signedOut && reasons[signedOut])
  return (
    <main id="content" className="sign-in">
      <div className="corner">
        <SettingsButton />
      </div>
      <h1>{texts.welcome}</h1>
      <p>{texts.welcomeText}</p>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <label htmlFor="key">{texts.keyLabel}</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          aria-describedby="key-help key-problem"
          aria-invalid={words !== null}
        />
        <p id="key-help" className="quiet">
          {texts.keyHelp}
        </p>
        <p id="key-problem" role="alert" className="refusal">
          {words}
        </p>
        <button type="submit" className="primary" disabled={isBusy}>
          {texts.signIn}
        </button>
      </form>
    </main>
  )
}
