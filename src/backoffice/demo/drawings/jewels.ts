import { ball, colour, dark, light, line, moved, oval, rect, round, shape, slope, times } from './paint.ts'
import type { Subject } from './paint.ts'
import { hoop } from './fittings.ts'

const gem = (x: number, y: number, r: number, tint: string, cut = 8) => {
  const at = (n: number, radius: number) =>
    `${(x + Math.cos((n * 2 * Math.PI) / cut) * radius).toFixed(1)} ${(y + Math.sin((n * 2 * Math.PI) / cut) * radius).toFixed(1)}`
  const ring = (radius: number) => `M${Array.from({ length: cut }, (_, n) => at(n + 0.5, radius)).join('L')}Z`
  const facets = times(cut, (n) =>
    shape(
      `M${at(n + 0.5, r)}L${at(n + 1.5, r)}L${at(n + 1.5, r * 0.55)}L${at(n + 0.5, r * 0.55)}Z`,
      n % 2 ? light(tint, 0.5) : dark(tint, 0.25),
      'opacity=".7"',
    ),
  )
  return (
    shape(ring(r), tint) +
    facets +
    shape(ring(r * 0.55), light(tint, 0.35)) +
    oval(x - r * 0.2, y - r * 0.25, r * 0.16, r * 0.1, '#ffffff', 'opacity=".9"')
  )
}

export const ring: Subject = (look) => {
  const metal = colour(look, 0, '#d9b35c')
  const stone = colour(look, 1, '#d9e6ec')
  const side = colour(look, 2, '#e6eef2')
  return {
    body: moved(
      0,
      -260,
      hoop('M-150 20A150 160 0 1 0 150 20A150 160 0 1 0 -150 20Z', metal, 26) +
        shape('M-70 -120L-46 -160H46L70 -120Z', slope(metal)) +
        gem(-74, -152, 26, side) +
        gem(74, -152, 26, side) +
        gem(0, -184, 66, stone, 10),
    ),
    width: 330,
    setting: 'cloth',
  }
}

export const brooch: Subject = (look) => {
  const metal = colour(look, 0, '#d9b35c')
  const stone = colour(look, 1, '#3e6a8c')
  const leaves = times(10, (at) =>
    moved(
      0,
      0,
      shape('M0 -90C40 -140 36 -210 0 -240C-36 -210 -40 -140 0 -90Z', slope(metal)) +
        gem(0, -168, 19, colour(look, 2, '#eaf1f4')),
      `rotate(${at * 36})`,
    ),
  )
  return {
    body: moved(
      0,
      -270,
      leaves +
        oval(0, 0, 108, 108, ball(metal)) +
        times(18, (at) => moved(0, 0, oval(0, -94, 9, 9, ball('#f0eee6')), `rotate(${at * 20})`)) +
        gem(0, 0, 74, stone, 12),
    ),
    width: 420,
    setting: 'cloth',
  }
}

export const necklace: Subject = (look) => {
  const bead = colour(look, 0, '#f0ebe0')
  const beads = times(37, (at) => {
    const angle = ((-235 + at * 8.1) * Math.PI) / 180
    const big = 15 + 12 * (1 - Math.abs(at - 18) / 18)
    return (
      oval(
        Math.cos(angle) * -250,
        Math.sin(angle) * -225 - 290,
        big + 1,
        big + 1,
        '#000000',
        'opacity=".18" transform="translate(4 6)"',
      ) + oval(Math.cos(angle) * -250, Math.sin(angle) * -225 - 290, big, big, ball(bead))
    )
  })
  return {
    body:
      beads +
      moved(
        0,
        -46,
        shape('M-14 -40H14L24 -10L0 40L-24 -10Z', slope(colour(look, 1, '#d9b35c'))) +
          gem(0, -4, 20, colour(look, 2, '#7c2436')),
      ),
    width: 560,
    setting: 'cloth',
  }
}

export const earrings: Subject = (look) => {
  const metal = colour(look, 0, '#d9b35c')
  const one =
    hoop('M0 -430C-30 -470 20 -500 24 -460V-400', metal, 9) +
    gem(14, -380, 24, colour(look, 2, '#e8f0f3')) +
    hoop('M14 -352V-310', metal, 6) +
    shape('M14 -320C70 -240 60 -150 14 -140C-32 -150 -42 -240 14 -320Z', slope(metal)) +
    gem(14, -210, 40, colour(look, 1, '#8c2f3f'), 9)
  return { body: moved(-120, -20, one) + moved(110, 10, one), width: 420, setting: 'cloth' }
}

export const watch: Subject = (look) => {
  const metal = colour(look, 0, '#c9ccd0')
  const strap = colour(look, 1, '#4a2e20')
  const face = colour(look, 2, '#f1ede0')
  return {
    body: moved(
      0,
      -310,
      rect(-62, -290, 124, 190, round(strap), 'rx="14"') +
        rect(-62, 100, 124, 200, round(strap), 'rx="14"') +
        times(6, (at) => oval(0, 150 + at * 24, 5, 5, dark(strap, 0.7))) +
        rect(-76, -140, 30, 280, slope(metal), 'rx="12"') +
        rect(46, -140, 30, 280, slope(metal), 'rx="12"') +
        rect(124, -18, 30, 36, slope(metal), 'rx="6"') +
        oval(0, 0, 136, 136, ball(metal)) +
        oval(0, 0, 112, 112, face) +
        times(12, (at) => moved(0, 0, rect(-4, -102, 8, at % 3 ? 16 : 26, dark(metal, 0.6)), `rotate(${at * 30})`)) +
        line(
          [
            [0, 0],
            [46, -34],
          ],
          '#2b2624',
          9,
        ) +
        line(
          [
            [0, 0],
            [-26, -84],
          ],
          '#2b2624',
          6,
        ) +
        oval(0, 54, 26, 26, 'none', `stroke="${dark(metal, 0.5)}" stroke-width="3"`) +
        oval(0, 0, 9, 9, '#2b2624') +
        `<path d="M-84 -52A100 100 0 0 1 0 -98" fill="none" stroke="#ffffff" stroke-width="12" opacity=".45"/>`,
    ),
    width: 330,
    setting: 'cloth',
  }
}

export const pocketWatch: Subject = (look) => {
  const metal = colour(look, 0, '#d9b35c')
  const chain = times(16, (at) =>
    oval(
      40 + at * 18,
      -505 + Math.sin(at / 2.4) * 40 - at * 2,
      13,
      8,
      'none',
      `stroke="${at % 2 ? dark(metal, 0.2) : metal}" stroke-width="5" transform="rotate(${at * 25} ${40 + at * 18} ${-505 + Math.sin(at / 2.4) * 40})"`,
    ),
  )
  return {
    body:
      chain +
      hoop('M-34 -466A36 36 0 1 1 34 -466', metal, 12) +
      rect(-18, -466, 36, 46, round(metal)) +
      oval(0, -230, 200, 200, ball(metal)) +
      oval(0, -230, 172, 172, '#f4efe2') +
      times(12, (at) => moved(0, -230, rect(-5, -158, 10, at % 3 ? 22 : 36, '#2b2420'), `rotate(${at * 30})`)) +
      times(60, (at) => moved(0, -230, rect(-1, -166, 2, 6, '#2b2420'), `rotate(${at * 6})`)) +
      oval(0, -150, 44, 44, '#ebe4d2', 'stroke="#8a7a5c" stroke-width="2"') +
      line(
        [
          [0, -230],
          [70, -290],
        ],
        '#2b3a5c',
        9,
      ) +
      line(
        [
          [0, -230],
          [-50, -350],
        ],
        '#2b3a5c',
        6,
      ) +
      oval(0, -230, 10, 10, metal),
    width: 420,
    setting: 'cloth',
  }
}
