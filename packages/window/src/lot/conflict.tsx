import { useTexts } from '../texts/texts.tsx'

/** What another client stored meanwhile at a value that was typed, and the choice between both. */
export function Conflict(props: {
  theirs: string
  language: string
  locale?: string | undefined
  onChoose: (isMine: boolean) => void
}) {
  const { theirs, language, locale, onChoose } = props
  const texts = useTexts()
  return (
    <span className="conflict" lang={language}>
      <span>
        <b>{texts.theirs}:</b>{' '}
        <span lang={locale} dir="auto">
          {theirs || texts.none}
        </span>
      </span>
      <button type="button" onClick={() => onChoose(true)}>
        {texts.keepMine}
      </button>
      <button type="button" onClick={() => onChoose(false)}>
        {texts.takeTheirs}
      </button>
    </span>
  )
}
