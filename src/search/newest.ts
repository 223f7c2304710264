/** The greatest value that `most` of the values reach; they lose their order. `most` is at least 1 and at most their number. */
function findBound(values: Float64Array, most: number): number {
  const wanted = values.length - most
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const pivot = values[(low + high) >> 1]!
    let [left, right] = [low, high]
    while (left <= right) {
      while (values[left]! < pivot) left += 1
      while (values[right]! > pivot) right -= 1
      if (left > right) break
      const swapped = values[left]!
      values[left++] = values[right]!
      values[right--] = swapped
    }
    if (wanted <= right) high = right
    else if (wanted >= left) low = left
    else break
  }
  return values[wanted]!
}

/**
 * The `most` records that were created last, in any order. `ages`: what is compared, in this order; records with equal ages
 * are one.
 */
export function chooseNewest(records: number[], ages: readonly ArrayLike<number>[], most: number): number[] {
  if (records.length <= most) return records
  const chosen: number[] = []
  let among = records
  for (const age of ages) {
    const left = most - chosen.length
    if (among.length <= left) break
    const values = new Float64Array(among.length)
    for (let at = 0; at < values.length; at++) values[at] = age[among[at]!]!
    const bound = findBound(values, left)
    const equal: number[] = []
    for (const record of among) {
      const value = age[record]!
      if (value > bound) chosen.push(record)
      else if (value === bound) equal.push(record)
    }
    among = equal
  }
  for (const record of among.slice(0, most - chosen.length)) chosen.push(record)
  return chosen
}
