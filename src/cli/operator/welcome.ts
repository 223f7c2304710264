import type { Demo } from '../../demo/house.ts'
import { programName } from '../../values/program.ts'

const line = (label: string, value: string) => `  ${label}`.padEnd(31) + value

/** The lines with the service's address, and how to try it. */
export function welcome(
  origin: string,
  hasWindow: boolean,
  { key, staff, noKey }: Demo,
  json: boolean | undefined,
): string[] {
  const base = `${origin}/api/v2`
  // A browser does not send the fragment of an address, and the page removes it.
  const open = (fragment: string) => (hasWindow ? `${origin}/#${fragment}` : undefined)
  const window = key === undefined ? undefined : open(`key=${key}`)
  const desk = staff && open(`key=${staff.key}&page=/sessions/${staff.session}/desk`)
  if (json) return [JSON.stringify({ url: base, key, window, staff: staff && { key: staff.key, window: desk } })]
  const lines = ['', line('The catalogue is served at', base), line('and documented at', `${origin}/docs`)]
  if (window !== undefined) lines.push(line('See the sale at', window))
  else if (hasWindow) lines.push(line('The window is at', `${origin}/`))
  if (desk !== undefined) lines.push(line('As staff, record results at', desk))
  if (noKey !== undefined) lines.push(line('No key is shown:', noKey))
  else if (key === undefined) {
    lines.push(line('Keys are issued by', `${programName} keys create`))
  } else {
    lines.push(
      line("The demo house's key is", key),
      '',
      '  Try:',
      '',
      `  curl -g -H 'Authorization: Bearer ${key}' '${base}/lots?limit=3&expand[]=item'`,
    )
  }
  return [...lines, '']
}
