/** A line of a comparison: kept, added or removed. */
type Line = { mark: ' ' | '+' | '-'; text: string }

// Neither the depth of a line nor the number of a parameter is a difference.
const normalize = (line: string) => line.trim().replaceAll(/\$\d+/g, '$')

/** Compares two texts line by line, by their longest common subsequence. */
function compareLines(before: string[], after: string[]): Line[] {
  const [from, to] = [before.map(normalize), after.map(normalize)]
  const width = to.length + 1
  const common = new Uint16Array((from.length + 1) * width)
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--)
      common[i * width + j] =
        from[i] === to[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const lines: Line[] = []
  for (let [i, j] = [0, 0]; i < from.length || j < to.length;) {
    if (i < from.length && from[i] === to[j]) {
      lines.push({ mark: ' ', text: after[j]! })
      i += 1
      j += 1
    } else if (j === to.length || (i < from.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      lines.push({ mark: '-', text: before[i++]! })
    else lines.push({ mark: '+', text: after[j++]! })
  }
  return lines
}

/** The lines that differ, in unified form with a line around them. `changes` has them without depth and numbers. */
export function printDifference(before: string, after: string): { lines: string[]; changes: string } {
  const compared = compareLines(before.split('\n'), after.split('\n'))
  const near = compared.map((_, at) => compared.slice(Math.max(0, at - 1), at + 2).some(({ mark }) => mark !== ' '))
  const lines = compared.flatMap(({ mark, text }, at) => {
    if (near[at]) return [mark + text]
    return at === 0 || near[at - 1] ? [' …'] : []
  })
  const changes = compared.flatMap(({ mark, text }) => (mark === ' ' ? [] : [mark + normalize(text)]))
  return { lines, changes: changes.join('\n') }
}
