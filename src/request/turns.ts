/** Begins the work on a request. */
export type Begin = () => void
type Holder = { most: number; begun: number; waiting: Begin[] }

/**
 * Spreads the beginnings of requests over turns: of each holder at most `most` begin in one turn, in the order in which they
 * came, and the others wait for the next turns. So a holder with thousands of them delays the others by a few at a time.
 * `awaitEnd` calls back when a turn is over. Returns the function that lets a request begin, at once if its holder has not
 * used up this turn.
 */
export function createTurns(awaitEnd: (endTurn: () => void) => void) {
  const holders = new Map<string, Holder>()
  let isScheduled = false

  function endTurn() {
    isScheduled = false
    for (const [name, holder] of holders) {
      const begins = holder.waiting.splice(0, holder.most)
      holder.begun = begins.length
      if (begins.length === 0) holders.delete(name)
      for (const begin of begins) begin()
    }
    schedule()
  }

  function schedule() {
    if (isScheduled || holders.size === 0) return
    isScheduled = true
    awaitEnd(endTurn)
  }

  return function takeTurn(name: string, most: number, begin: Begin): void {
    const holder = holders.get(name) ?? { most, begun: 0, waiting: [] }
    holders.set(name, holder)
    schedule()
    if (holder.begun >= most) {
      holder.waiting.push(begin)
      return
    }
    holder.begun += 1
    begin()
  }
}
