import { colour, light, line, moved, outline, oval, rect, round, shape, times, within } from './paint.ts'
import type { Look, Point, Profile } from './paint.ts'

/** A patch of light. */
export const gloss = (x: number, y: number, h: number) => oval(x, y, 12, h, '#ffffff', 'opacity=".34"')

/** A flower, as painters on faience repeat it. */
export function sprig(x: number, y: number, size: number, ink: string): string {
  const petals = times(6, (at) => {
    const angle = (at * Math.PI) / 3
    return oval(
      Math.cos(angle) * size * 0.42,
      Math.sin(angle) * size * 0.42,
      size * 0.3,
      size * 0.24,
      ink,
      'opacity=".85"',
    )
  })
  return moved(x, y, petals + oval(0, 0, size * 0.16, size * 0.16, light(ink, 0.7)))
}

/** Sprays of blossom and leaves over a surface. */
function blossom(look: Look, ink: string, top: number, bottom: number, width: number): string {
  const second = colour(look, 2, ink)
  return times(5, (at) => {
    const y = -bottom - ((top - bottom) * (at + 0.5)) / 5
    const side = at % 2 ? 1 : -1
    const x = side * width * (0.15 + look.random() * 0.3)
    const stem: Point[] = [
      [-side * width * 0.5, y + 60],
      [x * 0.2, y + 26],
      [x, y],
    ]
    const leaves = times(4, (leaf) =>
      oval(
        x - side * (24 + leaf * 22),
        y + 14 + leaf * 9,
        16,
        6,
        ink,
        `opacity=".7" transform="rotate(${leaf % 2 ? 40 : -35} ${x - side * (24 + leaf * 22)} ${y + 14 + leaf * 9})"`,
      ),
    )
    return line(stem, ink, 4, 'opacity=".75"') + leaves + sprig(x, y, 34 + look.random() * 16, at % 2 ? second : ink)
  })
}

function bands(profile: Profile, ink: string): string {
  const edge = [profile[1], profile[profile.length - 2]]
  return edge
    .map((at) =>
      at
        ? rect(-400, -at[0] - 8, 800, 7, ink, 'opacity=".7"') + rect(-400, -at[0] + 5, 800, 3, ink, 'opacity=".55"')
        : '',
    )
    .join('')
}

/** A vessel turned on the wheel, with what is painted on it. */
export function thrown(look: Look, profile: Profile, decorate = true): string {
  const base = colour(look, 0, '#e8e6dc')
  const ink = look.colours[1]
  const path = outline(profile)
  const radius = Math.max(...profile.map(([, r]) => r))
  const height = profile[profile.length - 1]?.[0] ?? 0
  const decoration =
    ink && decorate ? blossom(look, ink, height * 0.86, height * 0.12, radius * 1.5) + bands(profile, ink) : ''
  const shaded = shape(path, round(base), ink ? 'opacity=".45"' : '')
  return (
    shape(path, ink ? light(base, 0.25) : base) +
    within(path, decoration) +
    shaded +
    within(path, gloss(-radius * 0.42, -height * 0.55, height * 0.3))
  )
}
