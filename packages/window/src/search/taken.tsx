import type { Taken } from '../api/index.ts'
import { useTexts } from '../texts/texts.tsx'

/** How the service took the words of a search, where it did not take them as they are. */
export function TakenAs({ taken: { corrected, relaxed, complete } }: { taken: Taken }) {
  const texts = useTexts()
  return (
    <>
      {Object.entries(corrected).map(([word, found]) => (
        <p key={word} className="quiet">
          {texts.corrected(word, found.join(', '))}
        </p>
      ))}
      {relaxed && <p className="quiet">{texts.relaxed}</p>}
      {!complete && <p className="quiet">{texts.incomplete}</p>}
    </>
  )
}
