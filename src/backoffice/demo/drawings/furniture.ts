import {
  ball,
  colour,
  dark,
  light,
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

const knob = (x: number, y: number, r = 8) =>
  oval(x, y + 3, r, r, '#000000', 'opacity=".3"') + oval(x, y, r, r, ball('#c9a24f'))

const drawer = (x: number, y: number, w: number, h: number, wood: string, random: () => number) =>
  rect(x, y, w, h, slope(light(wood, 0.08)), `stroke="${dark(wood, 0.5)}" stroke-width="3"`) +
  grain(x, y, w, h, wood, random) +
  rect(x + 8, y + 8, w - 16, h - 16, 'none', `stroke="${light(wood, 0.3)}" stroke-width="1.5" opacity=".5"`) +
  knob(x + w * 0.2, y + h / 2) +
  knob(x + w * 0.8, y + h / 2) +
  oval(x + w / 2, y + h / 2, 5, 8, '#b08a3c')

const leg2 = (x: number, turn: number, wood: string) =>
  shape(
    `M${x - 16} -178C${x + turn * 1.4} -110 ${x - 12} -60 ${x - 10} -20Q${x + turn} 2 ${x + turn * 1.6} 0H${x + 8}C${x + 14} -60 ${x + turn * 2.4} -110 ${x + 20} -172Z`,
    round(wood),
  )

export const chair: Subject = (look) => {
  const wood = colour(look, 0, '#6b4226')
  const cloth = colour(look, 1, '#8d3b33')
  const leg = (x: number, lean: number) => shape(`M${x - 13} -250L${x - 8 + lean} 0h16L${x + 13} -250Z`, round(wood))
  return {
    body:
      moved(0, -26, leg(-88, -4) + leg(88, 4)) +
      shape('M-128 -236C-112 -400 -118 -520 -126 -590H-98C-94 -500 -92 -380 -100 -236Z', round(wood)) +
      shape('M128 -236C112 -400 118 -520 126 -590H98C94 -500 92 -380 100 -236Z', round(wood)) +
      shape('M-130 -596Q0 -640 130 -596L124 -556Q0 -592 -124 -556Z', slope(wood)) +
      shape(
        'M-22 -566C-64 -520 -14 -450 -44 -400C-60 -350 -30 -290 -40 -262H40C30 -290 60 -350 44 -400C14 -450 64 -520 22 -566Z',
        slope(wood),
      ) +
      oval(0, -500, 14, 24, dark(wood, 0.65)) +
      oval(0, -350, 10, 26, dark(wood, 0.65)) +
      shape('M-130 -262H130L168 -204Q0 -180 -168 -204Z', slope(cloth)) +
      shape('M-168 -204Q0 -180 168 -204V-168Q0 -144 -168 -168Z', slope(dark(wood, 0.1))) +
      leg2(-148, -16, wood) +
      leg2(148, 16, wood),
    width: 350,
    height: 630,
    setting: 'table',
  }
}

export const armchair: Subject = (look) => {
  const cloth = colour(look, 0, '#7d8a5c')
  const wood = colour(look, 1, '#3d281a')
  return {
    body:
      rect(-180, -90, 22, 90, round(wood)) +
      rect(158, -90, 22, 90, round(wood)) +
      shape('M-170 -150C-210 -430 -190 -560 0 -570S210 -430 170 -150Z', slope(cloth)) +
      times(3, (row) =>
        times(4, (at) => oval(-96 + at * 64 + (row % 2) * 20, -470 + row * 76, 6, 6, dark(cloth, 0.45))),
      ) +
      shape('M-150 -230H150Q166 -150 150 -110H-150Q-166 -150 -150 -230Z', slope(light(cloth, 0.12))) +
      shape('M-236 -300Q-200 -350 -164 -300L-150 -70H-216Z', slope(cloth)) +
      shape('M236 -300Q200 -350 164 -300L150 -70H216Z', slope(dark(cloth, 0.12))) +
      rect(-216, -110, 432, 48, slope(dark(cloth, 0.2)), 'rx="10"'),
    width: 440,
    setting: 'table',
  }
}

export const shellChair: Subject = (look) => {
  const seat = colour(look, 0, '#c8852f')
  const steel = '#8d9296'
  const wire = (path: string) =>
    `<path d="${path}" fill="none" stroke="${steel}" stroke-width="11" stroke-linecap="round"/><path d="${path}" fill="none" stroke="#e8ebed" stroke-width="3"/>`
  return {
    body:
      wire('M-40 -250L-150 0') +
      wire('M50 -250L150 0') +
      wire('M-60 -260L-90 -40') +
      wire('M70 -260L96 -40') +
      wire('M-130 -60L130 -60') +
      shape(
        'M-170 -540C-150 -610 120 -620 150 -550C172 -460 140 -380 130 -330C190 -310 206 -270 170 -246C60 -216 -90 -220 -160 -250C-196 -280 -160 -310 -140 -330C-160 -400 -190 -460 -170 -540Z',
        slope(seat),
      ) +
      shape('M-140 -330C-60 -290 60 -290 130 -330C90 -262 -80 -258 -140 -330Z', dark(seat, 0.35), 'opacity=".6"') +
      shape('M-140 -540C-100 -586 20 -596 60 -580C-20 -560 -100 -520 -118 -440Z', '#ffffff', 'opacity=".22"'),
    width: 340,
    setting: 'table',
  }
}

export const commode: Subject = (look) => {
  const wood = colour(look, 0, '#7a4a28')
  const body = rect(-270, -330, 540, 300, slope(wood))
  return {
    body:
      rect(-262, -34, 40, 34, round(dark(wood, 0.3))) +
      rect(222, -34, 40, 34, round(dark(wood, 0.3))) +
      body +
      times(3, (at) => drawer(-250, -318 + at * 96, 500, 86, wood, look.random)) +
      rect(-292, -362, 584, 34, slope(light(wood, 0.15)), 'rx="6"') +
      rect(-292, -336, 584, 8, dark(wood, 0.5), 'opacity=".5"') +
      rect(-286, -42, 572, 18, slope(dark(wood, 0.15))),
    width: 600,
    height: 400,
    setting: 'table',
  }
}

export const cabinet: Subject = (look) => {
  const wood = colour(look, 0, '#5a3820')
  const door = (x: number) =>
    rect(x, -500, 190, 300, slope(wood), `stroke="${dark(wood, 0.5)}" stroke-width="3"`) +
    grain(x, -500, 190, 300, wood, look.random) +
    shape(
      `M${x + 26} -220V-420Q${x + 95} -480 ${x + 164} -420V-220Z`,
      slope(light(wood, 0.12)),
      `stroke="${dark(wood, 0.55)}" stroke-width="5"`,
    ) +
    knob(x < -50 ? x + 176 : x + 14, -340, 7)
  return {
    body:
      oval(-176, -12, 34, 24, ball(dark(wood, 0.4))) +
      oval(176, -12, 34, 24, ball(dark(wood, 0.4))) +
      rect(-216, -530, 432, 506, slope(dark(wood, 0.2))) +
      door(-196) +
      door(6) +
      drawer(-196, -188, 392, 70, wood, look.random) +
      drawer(-196, -110, 392, 70, wood, look.random) +
      rect(-236, -42, 472, 22, slope(wood)) +
      shape('M-250 -530Q-230 -576 -246 -590H246Q230 -576 250 -530Z', slope(wood)) +
      shape('M-120 -590Q0 -640 120 -590Z', slope(light(wood, 0.1))) +
      oval(0, -598, 14, 12, ball('#c9a24f')),
    width: 500,
    height: 630,
    setting: 'table',
  }
}

export const table: Subject = (look) => {
  const wood = colour(look, 0, '#7a4a28')
  const foot = outline([
    [0, 20],
    [14, 44],
    [44, 60],
    [90, 40],
    [130, 26],
    [220, 44],
    [300, 24],
    [330, 60],
  ])
  const paw = (side: number) =>
    shape(
      `M${side * 10} -80C${side * 90} -90 ${side * 120} -20 ${side * 190} -14L${side * 196} 0H${side * 150}C${side * 90} -10 ${side * 70} -50 ${side * 10} -40Z`,
      slope(dark(wood, 0.15)),
    )
  return {
    body:
      paw(-1) +
      paw(1) +
      shape(foot, round(wood)) +
      oval(0, -352, 310, 56, dark(wood, 0.5)) +
      oval(0, -364, 310, 56, slope(light(wood, 0.12))) +
      oval(0, -366, 288, 49, 'none', `stroke="${colour(look, 1, '#d8b06a')}" stroke-width="4"`) +
      oval(-90, -378, 120, 16, '#ffffff', 'opacity=".2"'),
    width: 600,
    height: 430,
    setting: 'table',
  }
}

export const tableLamp: Subject = (look) => {
  const shade = colour(look, 0, '#e7c98a')
  const foot = colour(look, 1, '#6d5436')
  const dome = 'M-230 -300C-220 -470 -110 -560 0 -560S220 -470 230 -300C120 -270 -120 -270 -230 -300Z'
  const panes = times(
    9,
    (at) =>
      `<path d="M${-230 + at * 57.5} -290Q${(-230 + at * 57.5) * 0.95} -470 0 -560" fill="none" stroke="${dark(shade, 0.6)}" stroke-width="5" opacity=".55"/>`,
  )
  return {
    body:
      oval(0, -330, 420, 300, light(shade, 0.5), 'opacity=".12"') +
      oval(0, -320, 320, 220, light(shade, 0.5), 'opacity=".14"') +
      shape(
        outline([
          [0, 130],
          [14, 132],
          [30, 70],
          [60, 30],
          [160, 20],
          [300, 18],
        ]),
        round(foot),
      ) +
      shape(dome, round(mix(shade, '#fff2c4', 0.35))) +
      within(dome, panes + rect(-260, -352, 520, 16, colour(look, 2, dark(shade, 0.3)), 'opacity=".55"')) +
      oval(0, -562, 18, 12, foot),
    width: 320,
    setting: 'table',
  }
}
