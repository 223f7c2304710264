/** The greatest value that `most` of the values reach; they lose their order. `most` is at least 1 and at most their number. */
export function findBound(values: Float64Array, most: number): number {
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
export function chooseNewest(records: Int32Array, ages: readonly ArrayLike<number>[], most: number): Int32Array {
  if (records.length <= most) return records
  const chosen = new Int32Array(most)
  let count = 0
  let among = records
  for (const age of ages) {
    const left = most - count
    if (among.length <= left) break
    const values = new Float64Array(among.length)
    for (let at = 0; at < values.length; at++) values[at] = age[among[at]!]!
    const bound = findBound(values, left)
    const equal = new Int32Array(among.length)
    let equals = 0
    for (const record of among) {
      const value = age[record]!
      if (value > bound) chosen[count++] = record
      else if (value === bound) equal[equals++] = record
    }
    among = equal.subarray(0, equals)
  }
  chosen.set(among.subarray(0, most - count), count)
  return chosen
}
