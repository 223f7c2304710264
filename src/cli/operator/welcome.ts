import type { loadDemo } from '../../demo/house.ts'
import { programName } from '../../values/program.ts'

/** The lines with the service's address, and how to try it. */
export function welcome(
  origin: string,
  hasWindow: boolean,
  demo: Awaited<ReturnType<typeof loadDemo>> | undefined,
  json: boolean | undefined,
): string[] {
  const base = `${origin}/api/v2`
  const { key, noKey } = demo ?? {}
  // A browser does not send the fragment of an address, and the page removes it.
  const window = hasWindow ? `${origin}/${key === undefined ? '' : `#key=${key}`}` : undefined
  if (json) return [JSON.stringify({ url: base, key, window: key && window })]
  const lines = ['', `  The catalogue is served at   ${base}`, `  and documented at            ${origin}/docs`]
  if (window !== undefined)
    lines.push(`  ${key === undefined ? 'The window is at' : 'See the sale at'}`.padEnd(31) + window)
  if (noKey !== undefined) lines.push(`  No key is shown:             ${noKey}`)
  else if (key === undefined) {
    lines.push(`  Keys are issued by           ${programName} keys create`)
  } else {
    lines.push(
      `  The demo house's key is      ${key}`,
      '',
      '  Try:',
      '',
      `  curl -g -H 'Authorization: Bearer ${key}' '${base}/lots?limit=3&expand[]=item'`,
    )
  }
  return [...lines, '']
}
