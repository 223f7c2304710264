import { CatalogueError } from '@auction-catalogue/client'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useConnection, useHouse } from '../../api/index.ts'
import { useFormats } from '../../formats.ts'
import { findFault, nameOf } from '../../lot/draft.ts'
import { Discard } from '../../parts/discard.tsx'
import { Words } from '../../parts/problem.tsx'
import { useSettings } from '../../settings.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import type { Related } from '../choices.ts'
import { focusField, type Editing } from './editing.ts'
import { Fields } from './fields.tsx'

/** Thrown by `save`: why the values are not saved, and which of them are the cause. */
export class Refused extends Error {
  readonly words: ReactNode
  readonly names: string[]

  constructor(words: ReactNode, ...names: string[]) {
    super()
    this.words = words
    this.names = names
  }
}

/**
 * The fields of an item with the buttons that save it. `save` stores what is typed; `isNext`: and the next item is begun.
 * `focus`, the name of a field, is where the desk begins.
 */
export function Desk(props: {
  name: string
  editing: Editing
  focus: string | null
  save: (isNext: boolean) => Promise<ReactNode>
  onDiscard: () => void
  /** Whether text is typed that is not saved. */
  isTyped: boolean
  /** Whether the next item follows. */
  hasNext: boolean
  onConsigned?: (consignment: Related) => void
  children: ReactNode
}) {
  const { name, editing, focus, save, onDiscard, isTyped, hasNext, onConsigned, children } = props
  const texts = useTexts()
  const own = useStaffTexts().cataloguing
  const formats = useFormats()
  const house = useHouse()!
  const { language } = useSettings()
  const problemId = useId()
  const [isBusy, setBusy] = useState(false)
  const { trouble } = useConnection()
  // The client repeats the request until the service answers.
  const isWaiting = isBusy && (trouble === 'offline' || trouble === 'away')
  const [said, setSaid] = useState<ReactNode>(null)
  const [problem, setProblem] = useState<ReactNode>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (focus !== null) focusField(focus)
  }, [])
  const refuse = (words: ReactNode, names: string[]) => {
    setProblem(words)
    editing.setWrong(names)
    if (names[0] !== undefined) focusField(names[0])
  }
  const submit = async (isNext: boolean) => {
    if (isBusy) return
    setSaid(null)
    setProblem(null)
    const unchosen = form.current!.querySelector<HTMLInputElement>('[data-unchosen=true]')
    if (unchosen) return refuse(own.notChosen(unchosen.value), [unchosen.name])
    const fault = findFault(editing.draft.mine, editing.stored, house, language)
    if (fault) return refuse(texts[fault.why], fault.names)
    // One that was loaded may have none.
    if (editing.stored['reference'] !== '' && !editing.values['reference']?.trim())
      return refuse(own.needsReference, ['reference'])
    setBusy(true)
    try {
      setSaid(await save(isNext))
    } catch (error) {
      if (error instanceof Refused) refuse(error.words, error.names)
      else {
        const errors = error instanceof CatalogueError ? (error.errors ?? []) : []
        refuse(
          <Words error={error} />,
          errors.map(({ field }) => nameOf(field)),
        )
      }
    }
    setBusy(false)
  }
  const discard = () => {
    setProblem(null)
    onDiscard()
    focusField('reference')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, code, ctrlKey, metaKey, altKey, repeat } = event
    if (key === 'Enter' && (ctrlKey || metaKey)) {
      event.preventDefault()
      if (!repeat) void submit(hasNext)
    } else if (code === 'KeyP' && altKey && !ctrlKey && !metaKey) {
      event.preventDefault()
      const input = document.querySelector<HTMLInputElement>('.drop [type=file]')
      if (input === null) return
      input.closest('.drop')!.scrollIntoView({ block: 'nearest' })
      // The same file can be chosen again.
      input.value = ''
      input.click()
    } else if (key === 'Enter' && event.target instanceof HTMLInputElement && event.target.type !== 'file')
      event.preventDefault()
  }
  return (
    <form
      ref={form}
      className="cataloguing fields"
      aria-label={name}
      aria-busy={isBusy}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(hasNext)
      }}
    >
      {editing.conflicts.length > 0 && (
        <p className="refusal" role="alert">
          {texts.conflict} {texts.conflictHelp}
        </p>
      )}
      <Fields {...{ editing, isBusy, problem: problemId }} {...(onConsigned && { onConsigned })} />
      {children}
      <div className="actions sticky">
        <span className="saying">
          <span role="status">{isWaiting ? own.keptOffline : said}</span>
          <span id={problemId} className="refusal" role="alert">
            {problem}
          </span>
          {isTyped && editing.at !== null && !problem && !isWaiting && (
            <span className="quiet">{own.kept(formats.dayTime(editing.at))}</span>
          )}
        </span>
        {isTyped && <Discard isBusy={isBusy} onDiscard={discard} />}
        {hasNext && (
          <button type="button" aria-disabled={isBusy} onClick={() => void submit(false)}>
            {texts.save}
          </button>
        )}
        <button type="submit" className="primary" aria-disabled={isBusy} aria-keyshortcuts="Control+Enter Meta+Enter">
          {hasNext ? own.saveAndNext : texts.save}
        </button>
      </div>
    </form>
  )
}
