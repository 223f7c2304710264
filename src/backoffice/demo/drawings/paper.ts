import { cast, colour, light, line, mix, moved, oval, rect, shape, slope, times, within } from './paint.ts'
import type { Look, Point, Subject } from './paint.ts'
import { sky, mill } from './scenery.ts'
import { mounted } from './mountings.ts'

export const etching: Subject = (look) => {
  const ink = colour(look, 0, '#3a332c')
  const hatch = times(90, () => {
    const [x, y] = [30 + look.random() * 440, 170 + look.random() * 150]
    return `<path d="M${x.toFixed(0)} ${y.toFixed(0)}l${(10 + look.random() * 22).toFixed(0)} ${(-6 - look.random() * 12).toFixed(0)}" stroke="${ink}" stroke-width="1.3" opacity=".6"/>`
  })
  const houses = times(7, (at) => {
    const [x, top] = [40 + at * 62, 150 + look.random() * 40]
    return (
      shape(`M${x} 250V${top}l28 -34l28 34V250Z`, 'none', `stroke="${ink}" stroke-width="2"`) +
      rect(x + 12, top + 16, 9, 14, ink, 'opacity=".6"') +
      rect(x + 34, top + 16, 9, 14, ink, 'opacity=".6"')
    )
  })
  const ripples = times(
    30,
    (at) =>
      `<path d="M${(look.random() * 420).toFixed(0)} ${260 + at * 3}h${(30 + look.random() * 70).toFixed(0)}" stroke="${ink}" stroke-width="1.2" opacity=".5"/>`,
  )
  return mounted(
    rect(18, 18, 464, 334, '#000000', 'opacity=".05"') +
      mill(400, 150, 70, mix(ink, '#ffffff', 0.2)) +
      houses +
      hatch +
      ripples +
      line(
        [
          [40, 90],
          [90, 70],
          [140, 88],
        ],
        ink,
        1.5,
      ) +
      line(
        [
          [200, 60],
          [260, 44],
          [330, 62],
        ],
        ink,
        1.5,
      ),
    500,
    370,
    colour(look, 1, '#ebe2cc'),
  )
}

export const townMap: Subject = (look) => {
  const paper = colour(look, 0, '#eadfc2')
  const coast: Point[] = [
    [0, 250],
    [80, 220],
    [140, 260],
    [200, 170],
    [270, 190],
    [330, 90],
    [420, 120],
    [480, 40],
    [580, 60],
  ]
  const path = `M0 400V250${line(coast, '#000000', 1).match(/C[^"]*/)?.[0] ?? ''}V400Z`
  const fields = times(34, (at) =>
    rect(
      (at % 9) * 68 + look.random() * 20,
      100 + Math.floor(at / 9) * 80,
      60,
      62,
      [colour(look, 1, '#d9b98c'), '#cfc99a', '#dfc3b0', '#c2cfae'][at % 4] ?? paper,
      'opacity=".75"',
    ),
  )
  const towns = times(12, () => oval(60 + look.random() * 460, 230 + look.random() * 140, 5, 5, '#a33f2e'))
  return mounted(
    rect(0, 0, 580, 400, '#c9d6d2') +
      within(path, rect(0, 0, 580, 400, paper) + fields) +
      shape(path, 'none', 'stroke="#6a5238" stroke-width="3"') +
      line(
        [
          [300, 400],
          [320, 320],
          [270, 260],
          [290, 190],
        ],
        '#8fb0b5',
        7,
      ) +
      towns +
      moved(
        110,
        100,
        times(
          8,
          (at) =>
            `<path d="M0 0L6 -18L0 -62L-6 -18Z" fill="${at % 2 ? '#6a5238' : '#a33f2e'}" transform="rotate(${at * 45})"/>`,
        ),
      ) +
      rect(20, 330, 150, 54, light(paper, 0.4), 'stroke="#6a5238" stroke-width="2"') +
      times(4, (at) => rect(34, 342 + at * 9, 110 - at * 14, 3, '#6a5238')) +
      rect(8, 8, 564, 384, 'none', 'stroke="#6a5238" stroke-width="4"') +
      rect(289, 0, 2, 400, '#9c8560', 'opacity=".6"'),
    580,
    400,
    paper,
  )
}

export const woodblock: Subject = (look) => {
  const blue = colour(look, 1, '#2f5374')
  const hills = times(3, (at) =>
    shape(
      `M0 ${330 + at * 60}Q120 ${270 + at * 70 + look.random() * 30} 240 ${320 + at * 60}T420 ${300 + at * 66}V560H0Z`,
      mix(blue, '#dfe5dc', 0.5 - at * 0.2),
    ),
  )
  const rain = times(
    50,
    () =>
      `<path d="M${(look.random() * 430).toFixed(0)} ${(look.random() * 520).toFixed(0)}l-9 46" stroke="#3c4a55" stroke-width="1.4" opacity=".45"/>`,
  )
  return mounted(
    sky(400, 560, colour(look, 0, '#d98a5c'), '#f3e6cb') +
      oval(285, 120, 46, 46, colour(look, 2, '#c5432f')) +
      shape('M60 330L200 140L345 330Z', mix(blue, '#ffffff', 0.15)) +
      shape('M166 186L200 140L236 186L216 178L200 200L184 176Z', '#f5f3ea') +
      hills +
      (look.colours[3] ? rain : '') +
      line(
        [
          [0, 220],
          [70, 200],
          [130, 160],
          [190, 150],
        ],
        '#3a2c26',
        9,
      ) +
      times(14, (at) =>
        oval(20 + at * 12 + look.random() * 16, 212 - at * 5 + look.random() * 30 - 15, 13, 11, '#eab7b0'),
      ) +
      rect(340, 24, 36, 120, '#e8dcbc', 'stroke="#a33f2e" stroke-width="2"') +
      times(5, (at) => rect(352, 36 + at * 21, 12, 12, '#2c2622', 'opacity=".8"')),
    400,
    540,
    '#efe4ca',
  )
}

export const scroll: Subject = (look) => {
  const silk = colour(look, 0, '#8f9a86')
  const ink = colour(look, 1, '#2f2c29')
  const bamboo = times(3, (at) => {
    const x = 50 + at * 48
    return (
      times(5, (part) => rect(x + part * 3, 300 - part * 66, 9, 60, ink, `opacity="${0.8 - at * 0.2}"`)) +
      times(12, (leaf) =>
        moved(
          x + 20 + look.random() * 30,
          40 + leaf * 20,
          shape('M0 0Q22 -8 52 8Q22 10 0 0Z', ink),
          `rotate(${20 + look.random() * 60})`,
        ),
      )
    )
  })
  return {
    body: moved(
      -150,
      -630,
      cast(0, 0, 300, 610) +
        rect(0, 0, 300, 610, slope(silk)) +
        rect(30, 110, 240, 370, '#efe6cf') +
        moved(38, 130, bamboo) +
        rect(234, 400, 18, 18, '#b23a2a') +
        rect(60, 0, 12, 110, light(silk, 0.3)) +
        rect(228, 0, 12, 110, light(silk, 0.3)) +
        rect(-18, 604, 336, 22, '#2b1d14', 'rx="10"') +
        rect(-4, -8, 308, 12, '#2b1d14', 'rx="5"'),
    ),
    width: 320,
    height: 630,
    setting: 'wall',
  }
}

/** Paper with a study in chalk: one long loose line and washes. */
export const chalkStudy: Subject = (look: Look) => {
  const chalk = colour(look, 0, '#8c4a32')
  const figure: Point[] = [
    [190, 90],
    [150, 140],
    [180, 200],
    [120, 290],
    [150, 380],
    [110, 470],
  ]
  const back: Point[] = [
    [215, 100],
    [250, 170],
    [240, 260],
    [290, 350],
    [270, 470],
  ]
  return mounted(
    oval(200, 300, 120, 190, chalk, 'opacity=".12"') +
      oval(205, 86, 40, 48, 'none', `stroke="${chalk}" stroke-width="5"`) +
      line(figure, chalk, 6) +
      line(back, chalk, 5) +
      line(
        [
          [180, 200],
          [260, 240],
          [310, 190],
        ],
        chalk,
        5,
      ) +
      line(
        [
          [160, 60],
          [200, 30],
          [250, 56],
          [246, 110],
        ],
        chalk,
        8,
        'opacity=".7"',
      ) +
      times(
        34,
        () =>
          `<path d="M${(130 + look.random() * 90).toFixed(0)} ${(220 + look.random() * 220).toFixed(0)}l26 -18" stroke="${chalk}" stroke-width="3" opacity=".35"/>`,
      ),
    390,
    520,
    colour(look, 1, '#e2d6bd'),
  )
}
