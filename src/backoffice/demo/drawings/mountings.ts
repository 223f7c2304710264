import { cast, dark, light, moved, rect, shape, slope, within } from './paint.ts'
import type { Sketch } from './paint.ts'

const square = (x: number, y: number, w: number, h: number) => `M${x} ${y}h${w}v${h}h${-w}Z`

/** A moulded frame around a scene of w by h, its upper left corner at 0 0. */
export function framed(scene: string, w: number, h: number, gilt: string, width = 62): Sketch {
  const [outer, inner] = [width, width * 0.22]
  const mitre = (x: number, y: number, dx: number, dy: number) =>
    `<path d="M${x} ${y}l${dx} ${dy}" stroke="${dark(gilt, 0.5)}" stroke-width="2"/>`
  const moulding =
    rect(-outer, -outer, w + 2 * outer, h + 2 * outer, dark(gilt, 0.35)) +
    rect(-outer + 5, -outer + 5, w + 2 * outer - 10, h + 2 * outer - 10, slope(gilt)) +
    rect(
      -outer * 0.72,
      -outer * 0.72,
      w + outer * 1.44,
      h + outer * 1.44,
      'none',
      `stroke="${dark(gilt, 0.45)}" stroke-width="${outer * 0.16}" opacity=".7"`,
    ) +
    rect(
      -outer * 0.5,
      -outer * 0.5,
      w + outer,
      h + outer,
      'none',
      `stroke="${light(gilt, 0.45)}" stroke-width="5" opacity=".8"`,
    ) +
    mitre(-outer, -outer, outer, outer) +
    mitre(w + outer, -outer, -outer, outer) +
    mitre(-outer, h + outer, outer, -outer) +
    mitre(w + outer, h + outer, -outer, -outer) +
    rect(-inner, -inner, w + 2 * inner, h + 2 * inner, dark(gilt, 0.55))
  return {
    body: moved(
      -w / 2,
      -h - outer,
      cast(-outer, -outer, w + 2 * outer, h + 2 * outer) +
        moulding +
        within(square(0, 0, w, h), scene) +
        shape(`M0 0h${w}v14h${14 - w}v${h - 14}h-14Z`, '#000000', 'opacity=".22"'),
    ),
    width: w + 2 * outer,
    height: h + 2 * outer,
    setting: 'wall',
  }
}

/** Paper in a mount: the drawing in ink on a sheet of its own tone. */
export function mounted(sheet: string, w: number, h: number, paper: string): Sketch {
  const frame =
    cast(-100, -100, w + 200, h + 200) +
    rect(-100, -100, w + 200, h + 200, '#3a2c22') +
    rect(-88, -88, w + 176, h + 176, slope('#f1ece0')) +
    rect(-6, -6, w + 12, h + 12, '#cfc5b0')
  return {
    body: moved(-w / 2, -h - 100, frame + rect(0, 0, w, h, slope(paper)) + within(square(0, 0, w, h), sheet)),
    width: w + 200,
    height: h + 200,
    setting: 'wall',
  }
}
