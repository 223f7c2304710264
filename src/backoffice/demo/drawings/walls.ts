import {
  ball,
  cast,
  colour,
  dark,
  light,
  line,
  mix,
  moved,
  oval,
  rect,
  seeded,
  shape,
  slope,
  times,
  within,
} from './paint.ts'
import type { Subject } from './paint.ts'
import { tree, mill, ship } from './scenery.ts'

export const tilePicture: Subject = (look) => {
  const ink = colour(look, 0, '#34589a')
  const [cols, rows, s] = [4, 3, 150]
  const one = (x: number, y: number) => {
    const random = seeded(`${x}:${y}:${ink}:${look.random()}`)
    const corner = times(4, (at) =>
      moved(75, 75, shape('M-71 -71h20q-4 16 -20 20Z', ink, 'opacity=".8"'), `rotate(${at * 90})`),
    )
    const scene =
      random() > 0.5 ? ship(75, 100, 38, light(ink, 0.6)) : tree(66, 108, 40, ink, random) + mill(104, 108, 22, ink)
    return moved(
      x * s,
      y * s,
      rect(0, 0, s - 3, s - 3, slope(mix('#ece9dd', '#d6dde0', random() * 0.6))) +
        corner +
        oval(75, 76, 56, 56, 'none', `stroke="${ink}" stroke-width="2.5" opacity=".7"`) +
        scene +
        line(
          [
            [34, 108],
            [75, 113],
            [118, 107],
          ],
          ink,
          3,
        ),
    )
  }
  return {
    body: moved(
      (-cols * s) / 2,
      -rows * s - 14,
      cast(-14, -14, cols * s + 25, rows * s + 25) +
        rect(-14, -14, cols * s + 25, rows * s + 25, '#4a3626') +
        times(rows, (y) => times(cols, (x) => one(x, y))),
    ),
    width: 640,
    height: 480,
    setting: 'wall',
  }
}

export const mirror: Subject = (look) => {
  const gilt = colour(look, 0, '#c39a4a')
  const glass = 'M-140 -40V-440Q-140 -520 0 -530Q140 -520 140 -440V-40Z'
  const curl = (side: number) =>
    `<path d="M${side * 170} -500C${side * 120} -600 ${side * 30} -560 0 -640" fill="none" stroke="${gilt}" stroke-width="26" stroke-linecap="round"/>` +
    oval(side * 168, -500, 24, 24, ball(gilt))
  return {
    body:
      moved(12, 16, shape('M-185 0V-470Q-185 -580 0 -580Q185 -580 185 -470V0Z', '#1a120c', 'opacity=".25"')) +
      curl(-1) +
      curl(1) +
      oval(0, -628, 34, 34, ball(gilt)) +
      shape('M-185 0V-470Q-185 -580 0 -580Q185 -580 185 -470V0Z', slope(gilt)) +
      shape(glass, slope('#aebac0')) +
      within(
        glass,
        shape('M-160 -200L120 -560H200L-160 -80Z', '#ffffff', 'opacity=".28"') +
          shape('M-20 -20L160 -240V-170L40 -20Z', '#ffffff', 'opacity=".18"'),
      ) +
      shape(glass, 'none', `stroke="${dark(gilt, 0.45)}" stroke-width="6"`),
    width: 380,
    height: 660,
    setting: 'wall',
  }
}
