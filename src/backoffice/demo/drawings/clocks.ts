import {
  ball,
  cast,
  colour,
  dark,
  light,
  line,
  mix,
  moved,
  outline,
  oval,
  rect,
  round,
  shape,
  slope,
  times,
  within,
} from './paint.ts'
import type { Subject } from './paint.ts'
import { grain } from './fittings.ts'

const dial = (x: number, y: number, r: number, face = '#f4efe0') =>
  oval(x, y, r, r, '#b8933f') +
  oval(x, y, r * 0.92, r * 0.92, face) +
  times(
    12,
    (at) =>
      `<g transform="translate(${x} ${y}) rotate(${at * 30})">${rect(-r * 0.025, -r * 0.84, r * 0.05, r * (at % 3 ? 0.12 : 0.2), '#241c16')}</g>`,
  ) +
  `<g transform="translate(${x} ${y})">${line(
    [
      [0, 0],
      [r * 0.34, -r * 0.3],
    ],
    '#241c16',
    r * 0.06,
  )}${line(
    [
      [0, 0],
      [-r * 0.16, -r * 0.66],
    ],
    '#241c16',
    r * 0.04,
  )}${oval(0, 0, r * 0.06, r * 0.06, '#b8933f')}</g>`

export const longcase: Subject = (look) => {
  const wood = colour(look, 0, '#6d4326')
  return {
    body:
      rect(-104, -120, 208, 110, slope(wood)) +
      rect(-84, -104, 168, 78, 'none', `stroke="${light(wood, 0.35)}" stroke-width="3"`) +
      rect(-120, -20, 240, 20, slope(dark(wood, 0.2))) +
      rect(-72, -410, 144, 292, slope(dark(wood, 0.08))) +
      grain(-72, -410, 144, 292, wood, look.random) +
      shape(
        'M-50 -136V-370Q0 -412 50 -370V-136Z',
        slope(light(wood, 0.1)),
        `stroke="${dark(wood, 0.5)}" stroke-width="3"`,
      ) +
      oval(0, -240, 22, 26, '#2a1c12') +
      oval(0, -236, 13, 13, ball('#d8ae55')) +
      rect(-112, -590, 224, 180, slope(wood)) +
      shape('M-112 -588Q-100 -640 0 -646Q100 -640 112 -588Z', slope(wood)) +
      rect(-88, -578, 176, 156, '#c3a052') +
      dial(0, -500, 72) +
      rect(-124, -420, 248, 16, slope(light(wood, 0.1))) +
      oval(-104, -652, 11, 22, ball('#c9a24f')) +
      oval(104, -652, 11, 22, ball('#c9a24f')) +
      oval(0, -668, 13, 25, ball('#c9a24f')),
    width: 260,
    height: 700,
    setting: 'table',
  }
}

export const mantelClock: Subject = (look) => {
  const metal = colour(look, 0, '#c99f4a')
  const stone = colour(look, 1, '#ded9cf')
  const column = (x: number) =>
    rect(x - 22, -330, 44, 230, round(stone)) +
    rect(x - 30, -342, 60, 16, slope(metal)) +
    rect(x - 30, -106, 60, 16, slope(metal))
  return {
    body:
      times(4, (at) => oval(-200 + at * 133, -10, 20, 13, ball(metal))) +
      rect(-250, -90, 500, 72, slope(stone), 'rx="6"') +
      `<path d="M-170 -54q42 -30 85 0t85 0t85 0t85 0" fill="none" stroke="${metal}" stroke-width="7"/>` +
      column(-170) +
      column(170) +
      rect(-220, -384, 440, 46, slope(stone), 'rx="4"') +
      oval(0, -220, 126, 126, ball(metal)) +
      dial(0, -220, 104) +
      shape('M-70 -384C-60 -470 60 -470 70 -384Z', slope(metal)) +
      shape('M-16 -444C-60 -500 -20 -560 0 -590C20 -560 60 -500 16 -444Z', round(metal)) +
      oval(-170, -404, 26, 30, ball(metal)) +
      oval(170, -404, 26, 30, ball(metal)),
    width: 520,
    setting: 'table',
  }
}

export const wallClock: Subject = (look) => {
  const wood = colour(look, 0, '#6d4326')
  return {
    body:
      cast(-130, -430, 260, 400) +
      shape('M-130 -420Q-150 -560 0 -610Q150 -560 130 -420Z', slope(wood)) +
      rect(-130, -430, 260, 220, slope(wood)) +
      rect(-92, -214, 184, 180, slope(dark(wood, 0.2))) +
      rect(-70, -200, 140, 146, '#241810') +
      rect(-3, -300, 6, 200, '#d8ae55') +
      oval(0, -100, 34, 34, ball('#d8ae55')) +
      rect(-150, -44, 300, 20, slope(wood)) +
      shape('M-110 -24Q0 60 110 -24Z', slope(dark(wood, 0.1))) +
      dial(0, -400, 108, colour(look, 1, '#f0ead8')) +
      oval(0, -606, 18, 26, ball('#c9a24f')),
    width: 310,
    setting: 'wall',
  }
}

export const barometer: Subject = (look) => {
  const wood = colour(look, 0, '#7c4c2a')
  return {
    body:
      moved(
        10,
        14,
        shape(
          outline([
            [0, 12],
            [30, 60],
            [80, 128],
            [170, 150],
            [260, 120],
            [330, 56],
            [430, 46],
            [520, 74],
            [570, 60],
            [610, 18],
          ]),
          '#1a120c',
          'opacity=".22"',
        ),
      ) +
      shape(
        outline([
          [0, 12],
          [30, 60],
          [80, 128],
          [170, 150],
          [260, 120],
          [330, 56],
          [430, 46],
          [520, 74],
          [570, 60],
          [610, 18],
        ]),
        slope(wood),
      ) +
      dial(0, -165, 112, '#eef0ea') +
      rect(-17, -470, 34, 110, '#f1ecdc', `stroke="${dark(wood, 0.5)}" stroke-width="4"`) +
      rect(-3, -440, 6, 76, '#a33527') +
      oval(0, -528, 34, 34, '#b8933f') +
      oval(0, -528, 27, 27, '#eef0ea') +
      oval(0, -40, 17, 17, '#e9e4d6'),
    width: 300,
    setting: 'wall',
  }
}

export const globe: Subject = (look) => {
  const sea = colour(look, 0, '#8fa79c')
  const land = colour(look, 1, '#cdb27a')
  const ball170 = 'M-170 -350A170 170 0 1 1 170 -350A170 170 0 1 1 -170 -350Z'
  const wood = '#5c3820'
  return {
    body:
      shape(
        outline([
          [0, 150],
          [16, 152],
          [36, 90],
          [70, 30],
          [120, 40],
          [170, 22],
        ]),
        round(wood),
      ) +
      `<path d="M-20 -560A206 206 0 1 1 0 -146" fill="none" stroke="#b8933f" stroke-width="16"/>` +
      shape(ball170, sea) +
      within(
        ball170,
        shape(
          'M-140 -440C-90 -500 -10 -490 10 -440C40 -420 -20 -390 -10 -350C-60 -330 -30 -260 -80 -240C-120 -290 -160 -360 -140 -440Z',
          land,
        ) +
          shape(
            'M60 -450C120 -470 170 -420 160 -360C130 -340 120 -290 90 -280C70 -330 40 -370 60 -450Z',
            mix(land, '#a9b98a', 0.5),
          ) +
          times(
            5,
            (at) =>
              oval(0, -350, 34 * at + 10, 170, 'none', 'stroke="#3d3a30" stroke-width="1.5" opacity=".35"') +
              `<path d="M-170 ${-470 + at * 60}H170" stroke="#3d3a30" stroke-width="1.5" opacity=".35"/>`,
          ),
      ) +
      shape(ball170, ball(sea), 'opacity=".5"') +
      oval(0, -352, 214, 22, 'none', `stroke="${wood}" stroke-width="14"`) +
      oval(0, -528, 9, 14, '#b8933f'),
    width: 330,
    setting: 'table',
  }
}

export const microscope: Subject = (look) => {
  const brass = colour(look, 0, '#c39a45')
  return {
    body:
      shape('M-150 0Q-150 -34 -100 -36H110Q150 -34 150 0Z', slope('#2e2a27')) +
      rect(40, -420, 30, 390, round(brass)) +
      rect(-110, -170, 190, 20, slope('#2e2a27')) +
      oval(-40, -90, 34, 12, '#dfe7ea') +
      rect(-46, -90, 8, 50, round(brass)) +
      moved(
        -50,
        -190,
        rect(-14, -40, 28, 40, round(dark(brass, 0.2))) +
          rect(-26, -170, 52, 134, round(brass)) +
          rect(-36, -330, 72, 170, round(light(brass, 0.1))) +
          rect(-24, -380, 48, 54, round(dark(brass, 0.35))) +
          oval(0, -380, 24, 6, '#1c1714'),
      ) +
      rect(-60, -420, 130, 26, slope(brass)) +
      oval(84, -300, 26, 30, ball(brass)) +
      oval(84, -240, 18, 20, ball(brass)),
    width: 330,
    setting: 'table',
  }
}
