import {
  ball,
  colour,
  dark,
  light,
  line,
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
import type { Profile, Subject } from './paint.ts'

export const coffeePot: Subject = (look) => {
  const base = colour(look, 0, '#cfd2d4')
  const wood = colour(look, 1, '#3a2418')
  const body: Profile = [
    [0, 110],
    [14, 112],
    [26, 70],
    [60, 88],
    [170, 148],
    [300, 116],
    [400, 70],
    [420, 78],
  ]
  const path = outline(body)
  const lid = outline([
    [0, 78],
    [18, 70],
    [60, 36],
    [74, 10],
    [96, 16],
    [112, 2],
  ])
  return {
    body:
      shape('M-120 -190C-230 -210 -170 -350 -226 -402L-180 -412C-120 -350 -160 -270 -90 -250Z', slope(base)) +
      `<path d="M90 -380C230 -440 240 -170 132 -180" fill="none" stroke="${wood}" stroke-width="26"/>` +
      shape(path, round(base)) +
      within(
        path,
        times(
          9,
          (at) =>
            `<path d="M${-120 + at * 30} 0Q${(-120 + at * 30) * 1.5} -200 ${(-120 + at * 30) * 0.5} -420" fill="none" stroke="${dark(base, 0.5)}" stroke-width="2.5" opacity=".4"/>`,
        ),
      ) +
      moved(0, -418, shape(lid, round(base))),
    width: 320,
    setting: 'table',
  }
}

export const candlesticks: Subject = (look) => {
  const base = colour(look, 0, '#cfd2d4')
  const stem = outline([
    [0, 104],
    [14, 108],
    [34, 88],
    [54, 34],
    [90, 22],
    [130, 40],
    [170, 18],
    [280, 26],
    [330, 46],
    [350, 20],
    [385, 38],
    [400, 42],
  ])
  const one =
    shape(stem, round(base)) +
    oval(0, -400, 42, 9, dark(base, 0.5)) +
    oval(0, -20, 82, 10, light(base, 0.6), 'opacity=".4"')
  return { body: moved(-150, -40, one) + moved(140, 0, one), width: 520, height: 470, setting: 'table' }
}

export const candelabrum: Subject = (look) => {
  const base = colour(look, 0, '#c9a55a')
  const stem = outline([
    [0, 110],
    [16, 112],
    [40, 80],
    [60, 30],
    [120, 46],
    [170, 20],
    [330, 26],
    [380, 40],
    [430, 18],
    [470, 34],
    [500, 38],
  ])
  const arm = (side: number) =>
    `<path d="M0 -330C${side * 60} -260 ${side * 190} -290 ${side * 180} -400" fill="none" stroke="${base}" stroke-width="16"/><path d="M0 -336C${side * 60} -268 ${side * 184} -298 ${side * 174} -400" fill="none" stroke="${light(base, 0.5)}" stroke-width="4"/>` +
    moved(
      side * 180,
      -395,
      shape(
        outline([
          [0, 14],
          [14, 46],
          [26, 20],
          [60, 30],
        ]),
        round(base),
      ),
    )
  return { body: arm(-1) + arm(1) + shape(stem, round(base)), width: 380, height: 540, setting: 'table' }
}

export const caster: Subject = (look) => {
  const base = colour(look, 0, '#cfd2d4')
  const path = outline([
    [0, 84],
    [16, 86],
    [30, 46],
    [60, 60],
    [150, 98],
    [230, 84],
    [250, 90],
    [262, 82],
    [350, 70],
    [430, 40],
    [448, 12],
    [474, 20],
    [496, 2],
  ])
  const holes = times(5, (row) => times(7, (at) => oval(-66 + at * 22, -300 - row * 28, 5, 5, dark(base, 0.75))))
  return {
    body: shape(path, round(base)) + within(path, holes + rect(-120, -262, 240, 8, dark(base, 0.4), 'opacity=".5"')),
    width: 220,
    setting: 'table',
  }
}

export const cutlery: Subject = (look) => {
  const silver = colour(look, 0, '#cdd1d4')
  const handle = 'M-11 -300C-6 -200 -8 -60 -20 -20Q0 14 20 -20C8 -60 6 -200 11 -300Z'
  const spoon =
    shape(handle, round(silver)) + oval(0, -375, 50, 84, ball(silver)) + oval(4, -372, 38, 68, slope(dark(silver, 0.1)))
  const fork =
    shape(handle, round(silver)) +
    shape(
      'M-40 -330Q-44 -290 -11 -290H11Q44 -290 40 -330V-460H28V-340H16V-460H5V-340H-5V-460H-16V-340H-28V-460H-40Z',
      slope(silver),
    )
  return {
    body: moved(
      0,
      -60,
      moved(-240, 0, spoon, 'rotate(-6)') +
        moved(-80, 0, fork, 'rotate(-2)') +
        moved(80, 0, spoon, 'rotate(2)') +
        moved(240, 0, fork, 'rotate(6)'),
    ),
    width: 620,
    setting: 'cloth',
  }
}

export const tray: Subject = (look) => {
  const silver = colour(look, 0, '#cdd1d4')
  const scallops = times(16, (at) => {
    const angle = (at * Math.PI) / 8
    return oval(Math.cos(angle) * 246, Math.sin(angle) * 246, 50, 50, slope(silver))
  })
  const engraved = times(8, (at) =>
    moved(
      0,
      0,
      `<path d="M0 -150q30 -28 0 -56q-30 28 0 56M-36 -170q36 20 72 0" fill="none" stroke="${dark(silver, 0.5)}" stroke-width="3" opacity=".55"/>`,
      `rotate(${at * 45})`,
    ),
  )
  return {
    body: moved(
      0,
      -300,
      oval(8, 12, 290, 290, '#000000', 'opacity=".22"') +
        scallops +
        oval(0, 0, 256, 256, ball(silver)) +
        oval(0, 0, 222, 222, slope(light(silver, 0.15)), `stroke="${dark(silver, 0.4)}" stroke-width="3"`) +
        engraved +
        shape(
          'M-34 -40H34V10Q34 40 0 58Q-34 40 -34 10Z',
          'none',
          `stroke="${dark(silver, 0.5)}" stroke-width="4" opacity=".6"`,
        ) +
        shape('M-200 60L60 -210L110 -190L-170 120Z', '#ffffff', 'opacity=".25"'),
    ),
    width: 600,
    setting: 'cloth',
  }
}

export const box: Subject = (look) => {
  const base = colour(look, 0, '#cdd1d4')
  const ink = colour(look, 1, dark(base, 0.5))
  const twigs =
    line(
      [
        [-210, -60],
        [-100, -110],
        [40, -90],
        [170, -150],
      ],
      ink,
      6,
    ) + times(9, (at) => oval(-150 + at * 40, -92 - (at % 3) * 22, 15, 12, at % 2 ? ink : light(ink, 0.3)))
  return {
    body:
      shape('M-250 -190L-200 -300H260L250 -190Z', slope(light(base, 0.2))) +
      shape('M-190 -290H248L242 -206H-226Z', 'none', `stroke="${ink}" stroke-width="4" opacity=".7"`) +
      line(
        [
          [-150, -226],
          [-20, -262],
          [130, -236],
          [200, -270],
        ],
        ink,
        5,
      ) +
      rect(-250, -192, 500, 192, slope(base), 'rx="4"') +
      twigs +
      rect(-250, -150, 500, 5, dark(base, 0.5), 'opacity=".55"') +
      rect(-20, -168, 40, 44, slope('#c9a24f'), 'rx="5"') +
      oval(0, -142, 5, 8, '#2b1d12'),
    width: 540,
    height: 360,
    setting: 'table',
  }
}

/** A column of medals or coins laid out on a tray. */
export const coins: Subject = (look) => {
  const metal = colour(look, 0, '#cdd1d4')
  const coin = (at: number) => {
    const [x, y] = [-240 + (at % 4) * 160, -470 + Math.floor(at / 4) * 170]
    return (
      oval(x + 4, y + 6, 66, 66, '#000000', 'opacity=".25"') +
      oval(x, y, 66, 66, ball(metal)) +
      oval(x, y, 56, 56, 'none', `stroke="${dark(metal, 0.45)}" stroke-width="3"`) +
      shape(
        `M${x - 20} ${y + 36}C${x - 26} ${y + 6} ${x - 24} ${y - 36} ${x + 4} ${y - 38}C${x + 28} ${y - 34} ${x + 18} ${y - 8} ${x + 26} ${y}L${x + 16} ${y + 8}Q${x + 18} ${y + 30} ${x + 4} ${y + 36}Z`,
        dark(metal, 0.3),
        'opacity=".7"',
      )
    )
  }
  return { body: times(12, coin), width: 640, setting: 'cloth' }
}
