import { Link, useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useMay, type Item } from '../../api/index.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { readDraft, useKept, useOwnName, writeDraft } from '../../parts/drafts.ts'
import { Forbidden } from '../../parts/problem.tsx'
import { useTitle } from '../../parts/title.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Stage } from '../step.tsx'
import { useStaffTexts } from '../texts/texts.ts'
import { Items } from './items/list.tsx'
import { NewItem } from './new-item.tsx'
import '../../styles/staff.css'

/** The items of the house: made here, found by what they lack, and added to a sale. */
export function ItemsPage() {
  const { preparing: own, cataloguing } = useStaffTexts()
  const isStaff = useMay('staff')
  const mayWrite = useMay('lots.write')
  useTitle(own.items)
  const draft = useOwnName('new item')
  const [kept, setForm] = useKept<{ like: Item | null; begun: number }>(`${draft} form`)
  // A form comes back with what was typed, not empty.
  const [empty] = useState(() => (readDraft(draft) === null ? kept : null))
  const form = kept === empty ? null : kept
  const newButton = useRef<HTMLButtonElement>(null)
  // Text of the form that is not stored, and what would drop it.
  const isTyped = useRef(false)
  const [asked, setAsked] = useState<(() => void) | null>(null)
  const away = useBlocker({
    shouldBlockFn: ({ current, next }) => isTyped.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isTyped.current,
    withResolver: true,
  })
  if (!isStaff) return <Forbidden permission="staff" />
  const ask = (drop: () => void) => (isTyped.current ? setAsked(() => drop) : drop())
  const show = (like: Item | null) => ask(() => setForm({ like, begun: Date.now() }))
  const close = () =>
    ask(() => {
      flushSync(() => setForm(null))
      newButton.current?.focus()
    })
  const answer = (isSure: boolean) => {
    flushSync(() => setAsked(null))
    if (isSure) {
      isTyped.current = false
      writeDraft(draft, null)
    }
    if (isSure) (asked ?? away.proceed)?.()
    else away.reset?.()
  }
  return (
    <div className="page wide">
      <Stage>
        <div className="heading">
          <h1>{own.items}</h1>
          {mayWrite && <Link to="/catalogue">{cataloguing.catalogueItem}</Link>}
          {mayWrite && form === null && (
            <button ref={newButton} type="button" onClick={() => show(null)}>
              {own.newItem}
            </button>
          )}
        </div>
        {form && (
          <NewItem
            key={form.begun}
            like={form.like}
            draft={draft}
            onTyped={(isNow) => (isTyped.current = isNow)}
            onClose={close}
          />
        )}
        <Items {...(mayWrite && { onDuplicate: show })} />
        {(asked || away.status === 'blocked') && <AskDiscard onAnswer={answer} />}
      </Stage>
    </div>
  )
}

/** Asks whether typed text is dropped. */
function AskDiscard({ onAnswer }: { onAnswer: (isSure: boolean) => void }) {
  const texts = useTexts()
  const own = useStaffTexts().preparing
  return (
    <Dialog title={own.newItem} onClose={() => onAnswer(false)}>
      <p>{texts.unsaved}</p>
      <div className="actions">
        <button type="button" onClick={() => onAnswer(false)}>
          {texts.cancel}
        </button>
        <button type="button" className="danger" onClick={() => onAnswer(true)}>
          {texts.discard}
        </button>
      </div>
    </Dialog>
  )
}
