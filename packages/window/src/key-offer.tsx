import { useQuery } from '@tanstack/react-query'
import { CatalogueError } from '@auction-catalogue/client'
import { connection, isKey, openHouse, readHouse, useConnection } from './api/index.ts'
import { CloseButton, Dialog } from './parts/dialog.tsx'
import { Words } from './parts/problem.tsx'
import { useTexts } from './texts/texts.tsx'

const useHouseOf = (key: string) =>
  useQuery({ queryKey: ['house', key], queryFn: ({ signal }) => readHouse(key, signal), enabled: isKey(key) })

/** Asks before a link changes the house, and names the house of each key. */
export function KeyOffer() {
  const { key, offered } = useConnection()
  return key !== null && offered !== null && <Offer key={offered} own={key} offered={offered} />
}

function Offer({ own, offered }: { own: string; offered: string }) {
  const texts = useTexts()
  const [here, there] = [useHouseOf(own), useHouseOf(offered)]
  const decline = () => connection.change({ offered: null })
  const { error } = there
  const isUnknown = error instanceof CatalogueError && error.status === 401
  const refusal = !isKey(offered) ? texts.linkNoKey : isUnknown ? texts.keyRefused : error && <Words error={error} />
  if (refusal)
    return (
      <Dialog title={texts.linkTitle} onClose={decline}>
        <p>{refusal}</p>
        <div className="actions">
          <CloseButton of={texts.linkTitle} onClose={decline} isPrimary />
        </div>
      </Dialog>
    )
  return (
    <Dialog title={texts.changeHouse} onClose={decline}>
      <p>{texts.changeHouseHelp}</p>
      <dl className="houses">
        <dt>{texts.keyHere(own.slice(-4))}</dt>
        <dd>{here.error ? <Words error={here.error} /> : (here.data?.name ?? texts.loading)}</dd>
        <dt>{texts.keyOfLink(offered.slice(-4))}</dt>
        <dd>{there.data?.name ?? texts.loading}</dd>
      </dl>
      <div className="actions">
        <button type="button" onClick={() => openHouse(offered)} disabled={there.data === undefined}>
          {texts.doChangeHouse}
        </button>
        <button type="button" data-begin className="primary" onClick={decline}>
          {texts.stayHere}
        </button>
      </div>
    </Dialog>
  )
}
