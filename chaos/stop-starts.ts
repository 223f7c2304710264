import { stopStarts } from './stop-starts/run.ts'

// Stops first starts with the demo house at moments of all their phases. Each must end with 0, leave no process, and let the
// next start serve. Prints the slowest stops.
// node chaos/stop-starts.ts [moments]

const stops = await stopStarts({ moments: Number(process.argv[2] ?? 60) })
const slowest = stops.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, 5)
console.log(`${stops.length} stops, the slowest:`)
for (const { phase, delay, way, milliseconds } of slowest)
  console.log(`${milliseconds} ms: ${way}, ${delay} ms after "${phase}"`)
