/** Begins the work on a request. False if there was none, because its client has left. */
export type Begin = () => boolean
type Holder = { most: number; begun: number; waiting: Begin[] }

/**
 * Spreads requests over turns. Of each holder at most `most` begin per turn, in order, so a holder with thousands
 * delays others only slightly. `awaitEnd` calls back at the end of a turn. Returns the function that schedules a
 * request; it begins at once if its holder has not used up this turn.
 */
export function createTurns(awaitEnd: (endTurn: () => void) => void) {
  const holders = new Map<string, Holder>()
  let isScheduled = false

  function endTurn() {
    isScheduled = false
    for (const [name, holder] of holders) {
      holder.begun = 0
      let taken = 0
      while (holder.begun < holder.most && taken < holder.waiting.length)
        if (holder.waiting[taken++]!()) holder.begun += 1
      holder.waiting.splice(0, taken)
      if (holder.begun === 0) holders.delete(name)
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
    if (begin()) holder.begun += 1
  }
}
