import { ball, colour, dark, light, line, mix, moved, oval, rect, shape, slope, times } from './paint.ts'
import type { Subject } from './paint.ts'
import { sky, cloud, tree, mill, ship } from './scenery.ts'
import { framed } from './mountings.ts'

export const landscape: Subject = (look) => {
  const [w, h] = [660, 430]
  const grass = colour(look, 1, '#6f7a45')
  const water = mix(colour(look, 2, '#c7cfd0'), '#8a978f', 0.3)
  return framed(
    sky(w, h * 0.66, colour(look, 2, '#8fa6b5'), '#ead9b8') +
      cloud(170, 100, 150, '#fff4df') +
      cloud(450, 150, 120, '#fdf0d8') +
      cloud(560, 60, 90, '#fff4df') +
      rect(0, 270, w, 170, grass) +
      shape(`M0 285Q200 262 ${w} 278V300H0Z`, mix(grass, '#8fa0a0', 0.5)) +
      mill(470, 280, 78, '#5a4a3c') +
      shape('M250 300Q330 330 210 360T330 430H90Q60 380 190 345T250 300Z', water) +
      tree(120, 320, 120, grass, look.random) +
      tree(70, 345, 100, dark(grass, 0.15), look.random) +
      tree(590, 300, 62, grass, look.random) +
      times(26, () => oval(look.random() * w, 350 + look.random() * 80, 14, 3, light(grass, 0.3), 'opacity=".4"')),
    w,
    h,
    colour(look, 0, '#c39a4a'),
  )
}

export const seascape: Subject = (look) => {
  const [w, h] = [680, 420]
  const sea = colour(look, 1, '#6d8478')
  const waves = times(46, (at) => {
    const y = 262 + at * 3.6
    return oval(
      look.random() * w,
      y,
      30 + at * 1.6,
      2 + at * 0.07,
      at % 2 ? light(sea, 0.35) : dark(sea, 0.3),
      'opacity=".5"',
    )
  })
  return framed(
    sky(w, 262, colour(look, 2, '#8d9aa3'), '#e8dcc6') +
      cloud(140, 80, 170, '#f3ece0') +
      cloud(430, 110, 190, '#d9d3c8') +
      cloud(600, 60, 120, '#f3ece0') +
      rect(0, 258, w, 170, slope(sea)) +
      ship(520, 266, 46, '#c9bda2') +
      waves +
      ship(250, 318, 128, colour(look, 3, '#d8c49a')) +
      oval(250, 345, 110, 7, dark(sea, 0.5), 'opacity=".5"'),
    w,
    h,
    colour(look, 0, '#b88d3e'),
  )
}

export const winter: Subject = (look) => {
  const [w, h] = [640, 430]
  const skater = (x: number, y: number, s: number) =>
    moved(
      x,
      y,
      line(
        [
          [0, 0],
          [-s * 0.1, -s * 0.4],
          [s * 0.05, -s * 0.7],
        ],
        mix('#2b2522', '#7d3027', look.random()),
        s * 0.2,
      ) +
        oval(s * 0.07, -s * 0.86, s * 0.1, s * 0.12, '#4a352a') +
        oval(0, 2, s * 0.3, 3, '#6c7a84', 'opacity=".5"'),
    )
  return framed(
    sky(w, 250, '#b4bcc4', '#f2dcc0') +
      rect(0, 235, w, 200, slope('#ccd5da')) +
      shape('M0 250Q120 215 260 244L0 262Z', '#e9ebea') +
      shape(`M420 246Q560 208 ${w} 240V262Z`, '#e4e7e8') +
      rect(520, 176, 70, 58, '#6d4f3f') +
      shape('M508 178L555 134L602 178Z', '#eceeee') +
      line(
        [
          [90, 250],
          [84, 160],
          [104, 70],
        ],
        '#4a3d35',
        10,
      ) +
      line(
        [
          [88, 170],
          [50, 120],
          [40, 70],
        ],
        '#4a3d35',
        5,
      ) +
      line(
        [
          [90, 150],
          [140, 110],
          [150, 60],
        ],
        '#4a3d35',
        5,
      ) +
      line(
        [
          [98, 110],
          [80, 70],
          [84, 40],
        ],
        '#4a3d35',
        3,
      ) +
      times(24, () => {
        const y = 256 + look.random() ** 2 * 130
        return skater(60 + look.random() * 540, y, 14 + (y - 256) * 0.28)
      }) +
      shape(`M0 400Q160 372 330 410T${w} 396V430H0Z`, '#eef0ef'),
    w,
    h,
    colour(look, 0, '#4b3424'),
  )
}

export const stillLife: Subject = (look) => {
  const [w, h] = [460, 560]
  const ground = colour(look, 1, '#3b3026')
  const palette = look.colours.slice(2)
  const blooms = times(22, (at) => {
    const angle = look.random() * Math.PI * 2
    const far = Math.sqrt(look.random())
    const fill = palette[at % palette.length] ?? '#d88a7a'
    const [x, y, r] = [230 + Math.cos(angle) * far * 140, 210 + Math.sin(angle) * far * 130, 24 + look.random() * 20]
    return moved(
      x,
      y,
      oval(0, 0, r, r * 0.9, dark(fill, 0.3)) +
        oval(-2, -3, r * 0.82, r * 0.72, fill) +
        oval(-4, -5, r * 0.5, r * 0.42, light(fill, 0.3)) +
        oval(-3, -4, r * 0.2, r * 0.18, dark(fill, 0.35)),
    )
  })
  const leaves = times(22, () =>
    moved(
      230,
      230,
      oval(0, -110 - look.random() * 70, 15, 42, mix('#4d5f34', '#1f2a18', look.random())),
      `rotate(${-130 + look.random() * 260})`,
    ),
  )
  return framed(
    rect(0, 0, w, h, slope(ground)) +
      oval(150, 160, 220, 220, light(ground, 0.2), 'opacity=".35"') +
      rect(0, 470, w, 90, slope(mix(ground, '#8a6a48', 0.5))) +
      oval(250, 500, 130, 18, '#000000', 'opacity=".35"') +
      leaves +
      shape('M180 340C150 400 160 480 195 500H265C300 480 310 400 280 340Z', ball(light(ground, 0.5))) +
      blooms +
      oval(370, 488, 26, 24, ball('#b5532f')) +
      oval(330, 498, 20, 18, ball('#c48a3a')),
    w,
    h,
    colour(look, 0, '#33241a'),
  )
}

export const portrait: Subject = (look) => {
  const [w, h] = [430, 540]
  const coat = colour(look, 1, '#2d2f38')
  const ground = colour(look, 2, '#5d5140')
  const hair = colour(look, 3, '#4a3627')
  return framed(
    rect(0, 0, w, h, slope(ground)) +
      oval(130, 190, 200, 230, light(ground, 0.3), 'opacity=".3"') +
      shape('M40 540C50 400 130 370 215 365S390 400 400 540Z', slope(coat)) +
      shape('M178 330H250V380Q214 420 178 380Z', '#cfa382') +
      shape('M160 372Q214 440 268 372L290 400Q214 470 140 400Z', '#e9e4d8') +
      oval(214, 215, 104, 124, hair) +
      oval(214, 245, 82, 108, ball('#e0b896')) +
      shape('M130 230C120 120 300 110 300 225C270 170 190 150 130 230Z', hair) +
      oval(184, 240, 9, 5, '#3a2c22') +
      oval(244, 240, 9, 5, '#3a2c22') +
      line(
        [
          [170, 222],
          [184, 216],
          [200, 221],
        ],
        hair,
        5,
      ) +
      line(
        [
          [230, 221],
          [246, 216],
          [260, 222],
        ],
        hair,
        5,
      ) +
      line(
        [
          [214, 246],
          [206, 280],
          [218, 284],
        ],
        '#b98a68',
        5,
      ) +
      line(
        [
          [192, 312],
          [214, 317],
          [236, 311],
        ],
        '#a35a4c',
        7,
      ) +
      oval(168, 285, 20, 13, '#d48f78', 'opacity=".3"') +
      oval(258, 285, 20, 13, '#c98069', 'opacity=".3"'),
    w,
    h,
    colour(look, 0, '#a87f3a'),
  )
}

export const interior: Subject = (look) => {
  const [w, h] = [460, 540]
  const wall = colour(look, 1, '#b79f78')
  const panes = times(2, (col) => times(3, (row) => rect(50 + col * 62, 70 + row * 62, 56, 56, '#e9eee4')))
  const tiles = times(6, (row) =>
    times(8, (col) =>
      (row + col) % 2 ? shape(`M${col * 92 - 140 - row * 18} ${360 + row * 30}h92l-18 30h-92Z`, '#6b4a38') : '',
    ),
  )
  return framed(
    rect(0, 0, w, 360, slope(wall)) +
      shape('M40 60H182V264H40Z', '#5c4430') +
      panes +
      shape('M180 64L430 330L250 360L180 270Z', '#fff4d0', 'opacity=".28"') +
      rect(0, 360, w, 180, '#c0a27c') +
      tiles +
      rect(290, 90, 100, 74, '#4a3524') +
      rect(298, 98, 84, 58, '#8c9a90') +
      shape('M180 470C180 360 210 330 232 330S290 360 300 470Z', slope(colour(look, 2, '#2f4a6d'))) +
      oval(236, 306, 26, 30, '#d9b08c') +
      shape('M206 306C204 262 270 262 268 306C256 284 220 284 206 306Z', '#f2ede0') +
      rect(300, 380, 130, 14, '#5c3d28') +
      rect(310, 394, 12, 100, '#4a3020') +
      rect(408, 394, 12, 100, '#4a3020') +
      oval(340, 368, 20, 16, ball('#d7dad8')) +
      oval(385, 372, 14, 10, ball('#b8643a')),
    w,
    h,
    colour(look, 0, '#2c1f17'),
  )
}

/** Flat planes and a few arcs, in the manner of the nineteen-fifties. */
export const abstraction: Subject = (look) => {
  const [w, h] = [560, 470]
  const tint = (at: number) => look.colours[1 + (at % Math.max(1, look.colours.length - 1))] ?? '#b5573a'
  const planes = times(8, (at) => {
    const [x, y, s] = [look.random() * 420, look.random() * 340, 90 + look.random() * 150]
    return at % 3 === 0
      ? oval(x + 60, y + 60, s * 0.5, s * 0.5, tint(at), 'opacity=".9"')
      : shape(
          `M${x} ${y}l${s} ${look.random() * 50 - 25}l${look.random() * 40 - 10} ${s * 0.9}l${-s * 1.1} ${look.random() * 40}Z`,
          tint(at),
          'opacity=".9"',
        )
  })
  const strokes = times(6, (at) =>
    line(
      [
        [40 + at * 80, 60 + look.random() * 100],
        [120 + at * 60, 220 + look.random() * 80],
        [80 + at * 80, 420],
      ],
      at % 2 ? '#201c1a' : '#efe6d2',
      4 + look.random() * 6,
    ),
  )
  return framed(rect(0, 0, w, h, light(tint(0), 0.6)) + planes + strokes, w, h, colour(look, 0, '#e9e4da'), 26)
}
