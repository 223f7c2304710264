import { ball, colour, dark, light, line, moved, oval, rect, round, shape, slope, times } from './paint.ts'
import type { Subject } from './paint.ts'
import { hoop } from './fittings.ts'

const wheel = (x: number, y: number, r: number, tint: string) =>
  oval(x, y, r, r, '#26211e') +
  oval(x, y, r * 0.7, r * 0.7, tint) +
  times(6, (at) => moved(x, y, rect(-r * 0.05, -r * 0.68, r * 0.1, r * 1.36, dark(tint, 0.4)), `rotate(${at * 30})`)) +
  oval(x, y, r * 0.2, r * 0.2, '#d8c07a')

export const tinCar: Subject = (look) => {
  const paint = colour(look, 0, '#a8322b')
  return {
    body:
      shape(
        'M-310 -80C-320 -170 -280 -190 -160 -196C-120 -290 -60 -310 60 -306C140 -300 170 -240 200 -196C290 -190 320 -160 314 -80Z',
        slope(paint),
      ) +
      shape('M-126 -200C-100 -270 -50 -282 10 -282V-200Z', '#d8e2e2') +
      shape('M26 -282C110 -282 130 -240 156 -200H26Z', '#cbd8da') +
      rect(-300, -140, 606, 7, colour(look, 1, '#e4cf8e')) +
      rect(14, -196, 4, 110, dark(paint, 0.5)) +
      rect(-60, -170, 34, 8, '#d8ccb0', 'rx="3"') +
      oval(298, -146, 20, 22, ball('#f2e8c8')) +
      rect(-336, -92, 672, 20, slope('#b9bcbe'), 'rx="8"') +
      wheel(-190, -66, 64, '#c9bfa8') +
      wheel(196, -66, 64, '#c9bfa8') +
      moved(-250, -230, hoop('M-20 10A20 20 0 1 1 0 26', '#c9a24f', 9) + rect(-4, 24, 8, 40, '#c9a24f')),
    width: 660,
    height: 400,
    setting: 'table',
  }
}

export const locomotive: Subject = (look) => {
  const paint = colour(look, 0, '#2f5a3c')
  return {
    body:
      rect(-310, -110, 610, 30, slope('#8c2a22')) +
      rect(-300, -260, 380, 150, slope(paint), 'rx="30"') +
      times(4, (at) => rect(-250 + at * 84, -260, 10, 150, '#d8b25a')) +
      rect(70, -380, 200, 272, slope(paint)) +
      rect(44, -404, 260, 28, slope(dark(paint, 0.3)), 'rx="8"') +
      rect(104, -340, 60, 76, '#e3dfc8') +
      rect(184, -340, 60, 76, '#d5d3c2') +
      shape('M-266 -256L-280 -390H-200L-214 -256Z', round('#2a2725')) +
      rect(-290, -404, 100, 20, slope('#d8b25a'), 'rx="6"') +
      oval(-90, -266, 44, 42, ball('#d8b25a')) +
      oval(-316, -184, 22, 24, ball('#f2e2a8')) +
      wheel(-220, -56, 54, '#a8322b') +
      wheel(-70, -56, 54, '#a8322b') +
      wheel(176, -66, 66, '#a8322b') +
      rect(-230, -62, 400, 12, slope('#c9ccd0'), 'rx="6"'),
    width: 660,
    height: 470,
    setting: 'table',
  }
}

export const bear: Subject = (look) => {
  const fur = colour(look, 0, '#b98a4f')
  const limb = (x: number, y: number, rx: number, ry: number, turn: number) =>
    moved(x, y, oval(0, 0, rx, ry, ball(fur)), `rotate(${turn})`)
  const pile = times(160, () => {
    const [x, y] = [(look.random() - 0.5) * 300, -60 - look.random() * 480]
    return `<path d="M${x.toFixed(0)} ${y.toFixed(0)}l6 9" stroke="${dark(fur, 0.4)}" stroke-width="2" opacity=".28"/>`
  })
  return {
    body:
      limb(-128, -240, 46, 112, 32) +
      limb(128, -240, 46, 112, -32) +
      limb(-84, -420, 0, 0, 0) +
      oval(-104, -520, 48, 48, ball(dark(fur, 0.1))) +
      oval(104, -520, 48, 48, ball(dark(fur, 0.1))) +
      oval(-104, -520, 24, 24, light(fur, 0.35)) +
      oval(104, -520, 24, 24, light(fur, 0.35)) +
      oval(0, -200, 146, 176, ball(fur)) +
      oval(0, -430, 138, 124, ball(fur)) +
      limb(-104, -66, 62, 84, 18) +
      limb(104, -66, 62, 84, -18) +
      oval(-112, -46, 34, 42, light(fur, 0.4)) +
      oval(112, -46, 34, 42, light(fur, 0.4)) +
      pile +
      oval(0, -396, 56, 46, light(fur, 0.35)) +
      oval(0, -418, 20, 14, '#2a1c14') +
      line(
        [
          [-26, -376],
          [0, -360],
          [26, -376],
        ],
        '#2a1c14',
        5,
      ) +
      oval(-50, -458, 11, 12, '#1f1510') +
      oval(50, -458, 11, 12, '#1f1510') +
      oval(-46, -462, 3, 4, '#ffffff') +
      oval(54, -462, 3, 4, '#ffffff') +
      shape('M-70 -320Q0 -290 70 -320L60 -290Q0 -262 -60 -290Z', colour(look, 1, '#8f2f3a')),
    width: 400,
    setting: 'table',
  }
}

const chamber = (x: number, y: number, paper: string) =>
  rect(x, y, 200, 150, slope(paper), `stroke="#5c3c26" stroke-width="5"`) +
  rect(x + 20, y + 92, 60, 10, '#5c3c26') +
  rect(x + 26, y + 102, 6, 44, '#5c3c26') +
  rect(x + 68, y + 102, 6, 44, '#5c3c26') +
  rect(x + 120, y + 30, 50, 40, '#c7a25a') +
  rect(x + 126, y + 36, 38, 28, '#8fa08f') +
  oval(x + 150, y + 124, 26, 18, ball('#8f3a34'))

export const dollsHouse: Subject = (look) => {
  const wall = colour(look, 0, '#d9c6a0')
  return {
    body:
      rect(-236, -380, 472, 370, slope(wall)) +
      chamber(-208, -356, '#a8b7a0') +
      chamber(8, -356, '#c9a0a0') +
      chamber(-208, -180, '#d8c58c') +
      chamber(8, -180, '#9fb0c2') +
      shape('M-270 -376L-190 -520H190L270 -376Z', slope('#8a4a35')) +
      times(6, (at) => rect(-230 + at * 2, -400 - at * 20, 460 - at * 4, 3, '#5c2c1e', 'opacity=".5"')) +
      rect(100, -580, 50, 90, slope('#9c5a44')) +
      shape('M-50 -470L0 -530L50 -470V-400H-50Z', slope(wall)) +
      rect(-22, -464, 44, 54, '#e9f0ee', 'stroke="#5c3c26" stroke-width="4"') +
      rect(-256, -20, 512, 20, slope('#5c3c26')),
    width: 520,
    setting: 'table',
  }
}

export const modelShip: Subject = (look) => {
  const hull = colour(look, 0, '#6d4326')
  const sail = colour(look, 1, '#e6d8b8')
  const mast = (x: number, h: number) =>
    rect(x - 4, -h, 8, h - 130, '#4a3020') +
    times(3, (at) =>
      shape(
        `M${x - 74 + at * 10} ${-h + 40 + at * 110}Q${x + 30} ${-h + 70 + at * 110} ${x - 80 + at * 4} ${-h + 136 + at * 110}H${x + 76 - at * 4}Q${x + 110} ${-h + 70 + at * 110} ${x + 70 - at * 10} ${-h + 40 + at * 110}Z`,
        slope(sail),
        `stroke="${dark(sail, 0.4)}" stroke-width="2"`,
      ),
    )
  return {
    body:
      rect(-180, -24, 360, 24, slope('#3a2619'), 'rx="5"') +
      rect(-120, -70, 20, 52, '#3a2619') +
      rect(100, -70, 20, 52, '#3a2619') +
      line(
        [
          [250, -180],
          [340, -230],
        ],
        '#4a3020',
        9,
      ) +
      mast(-140, 520) +
      mast(10, 590) +
      mast(150, 500) +
      line(
        [
          [-140, -520],
          [-280, -210],
        ],
        '#4a3b2c',
        2,
      ) +
      line(
        [
          [150, -500],
          [340, -230],
        ],
        '#4a3b2c',
        2,
      ) +
      shape('M-290 -230L-250 -176H250L290 -190Q250 -60 160 -56H-190Q-270 -70 -290 -230Z', slope(hull)) +
      rect(-258, -158, 500, 8, '#d8b25a') +
      times(9, (at) => rect(-220 + at * 50, -136, 18, 16, '#1f1712')),
    width: 560,
    setting: 'table',
  }
}
