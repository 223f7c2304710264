import { colour, light, line, moved, oval, rect, round, shape, slope, times } from './paint.ts'
import type { Subject } from './paint.ts'

export const books: Subject = (look) => {
  const tint = (at: number) => look.colours[at % look.colours.length] ?? '#7b4a2b'
  const standing = times(6, (at) => {
    const [w, h, x] = [52 + look.random() * 30, 330 + look.random() * 80, -330 + at * 84]
    const leather = tint(at)
    return moved(
      x,
      0,
      rect(0, -h, w, h, round(leather), 'rx="5"') +
        times(
          4,
          (band) =>
            rect(-1, -h * (0.18 + band * 0.22), w + 2, 9, slope(light(leather, 0.15)), 'rx="3"') +
            rect(4, -h * (0.18 + band * 0.22) - 5, w - 8, 2, '#d8b25a'),
        ) +
        rect(7, -h * 0.78, w - 14, 42, '#7e2f22') +
        times(3, (row) => rect(13, -h * 0.78 + 8 + row * 11, w - 26, 3, '#e2c06e')),
    )
  })
  const lying = moved(
    190,
    0,
    rect(0, -64, 250, 64, slope(tint(1)), 'rx="8"') +
      rect(6, -56, 244, 48, '#eadfc6') +
      times(6, (row) => rect(6, -50 + row * 7, 244, 1.5, '#b7a781')) +
      rect(0, -64, 30, 64, round(tint(1)), 'rx="6"') +
      moved(
        20,
        -64,
        rect(0, -46, 210, 46, slope(tint(2)), 'rx="7"') +
          rect(6, -39, 204, 32, '#e6dabd') +
          rect(0, -46, 26, 46, round(tint(2)), 'rx="6"'),
      ),
  )
  return { body: standing + lying, width: 780, setting: 'table' }
}

const lines = (x: number) =>
  times(15, (row) => rect(x, -330 + row * 17, (row + 1) % 6 ? 200 : 120, 4, '#4a4036', 'opacity=".65"'))

export const openBook: Subject = (look) => {
  const plateInk = colour(look, 1, '#4a5a3a')
  const plant = times(
    7,
    (at) =>
      line(
        [
          [-150, -90],
          [-150 - (at - 3) * 14, -220],
          [-150 - (at - 3) * 34, -300],
        ],
        plateInk,
        4,
      ) + oval(-150 - (at - 3) * 34, -310, 16, 20, colour(look, 2, '#a3483f'), 'opacity=".8"'),
  )
  return {
    body: moved(
      0,
      -70,
      shape('M-300 -390H300V0H-300Z', slope(colour(look, 0, '#6f4326'))) +
        shape('M0 -380C-80 -410 -210 -404 -284 -386V-22C-210 -40 -80 -44 0 -14Z', slope('#efe6cf')) +
        shape('M0 -380C80 -410 210 -404 284 -386V-22C210 -40 80 -44 0 -14Z', slope('#f3ebd6')) +
        shape('M-40 -392L0 -380L40 -392V-26L0 -14L-40 -26Z', '#000000', 'opacity=".1"') +
        plant +
        lines(50),
    ),
    width: 640,
    setting: 'cloth',
  }
}
