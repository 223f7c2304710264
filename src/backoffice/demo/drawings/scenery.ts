import { dark, light, line, mix, moved, oval, rect, shape, times } from './paint.ts'

export const sky = (w: number, h: number, top: string, low: string) =>
  times(14, (at) => rect(0, (h / 14) * at, w, h / 14 + 1, mix(top, low, at / 13)))

export const cloud = (x: number, y: number, size: number, fill: string) =>
  times(5, (at) =>
    oval(
      x + (at - 2) * size * 0.5,
      y - (2 - Math.abs(at - 2)) * size * 0.17,
      size * 0.46,
      size * 0.26,
      fill,
      'opacity=".5"',
    ),
  )

export function tree(x: number, y: number, size: number, leaf: string, random: () => number): string {
  const crown = times(16, () => {
    const [dx, dy] = [(random() - 0.5) * size, -size * (0.75 + random() * 0.7)]
    return oval(
      x + dx,
      y + dy,
      size * (0.16 + random() * 0.14),
      size * (0.13 + random() * 0.1),
      mix(leaf, random() > 0.5 ? '#1c2413' : '#c9b56a', random() * 0.4),
      'opacity=".85"',
    )
  })
  return (
    line(
      [
        [x, y],
        [x + size * 0.05, y - size * 0.6],
        [x - size * 0.04, y - size],
      ],
      dark(leaf, 0.6),
      size * 0.09,
    ) + crown
  )
}

export const mill = (x: number, y: number, s: number, ink: string) =>
  moved(
    x,
    y,
    shape(`M${-s * 0.3} 0L${-s * 0.16} ${-s}H${s * 0.16}L${s * 0.3} 0Z`, ink) +
      shape(`M${-s * 0.19} ${-s}Q0 ${-s * 1.35} ${s * 0.19} ${-s}Z`, dark(ink)) +
      times(
        4,
        (at) =>
          `<g transform="translate(0 ${-s}) rotate(${at * 90 + 25})">${rect(-2, -s * 0.95, 4, s * 0.95, dark(ink))}${rect(2, -s * 0.92, s * 0.14, s * 0.7, light(ink, 0.35), 'opacity=".75"')}</g>`,
      ),
  )

export const ship = (x: number, y: number, s: number, sail: string) =>
  moved(
    x,
    y,
    shape(
      `M${-s * 0.6} ${-s * 0.06}Q0 ${s * 0.16} ${s * 0.62} ${-s * 0.1}L${s * 0.48} ${s * 0.14}H${-s * 0.44}Z`,
      '#3d2b1f',
    ) +
      rect(-2, -s * 1.3, 4, s * 1.3, '#2f2219') +
      shape(`M4 ${-s * 1.25}Q${s * 0.7} ${-s * 0.8} ${s * 0.56} ${-s * 0.2}L4 ${-s * 0.16}Z`, sail) +
      shape(`M-5 ${-s * 1.1}L${-s * 0.62} ${-s * 0.14}L-5 ${-s * 0.18}Z`, light(sail, 0.2)) +
      rect(0, -s * 1.36, s * 0.22, s * 0.07, '#a2382c'),
  )
