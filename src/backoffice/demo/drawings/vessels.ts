import { gloss, sprig, thrown } from './glaze.ts'
import { colour, dark, light, line, moved, outline, oval, rect, round, shape, slope, times, within } from './paint.ts'
import type { Point, Profile, Subject } from './paint.ts'

const mouth = (y: number, r: number, fill: string) =>
  oval(0, y, r, r * 0.16, dark(fill, 0.5)) + oval(0, y + 2, r * 0.9, r * 0.11, dark(fill, 0.75))

export const vase: Subject = (look) => ({
  body:
    thrown(look, [
      [0, 78],
      [30, 84],
      [150, 140],
      [290, 168],
      [400, 118],
      [470, 62],
      [530, 66],
      [560, 88],
    ]) + mouth(-560, 88, colour(look, 0, '#dddddd')),
  width: 330,
  setting: 'table',
})

export const beakerVase: Subject = (look) => ({
  body:
    thrown(look, [
      [0, 110],
      [30, 104],
      [170, 76],
      [300, 80],
      [430, 104],
      [560, 158],
    ]) + mouth(-560, 158, colour(look, 0, '#dddddd')),
  width: 320,
  setting: 'table',
})

export const lidded: Subject = (look) => {
  const base = colour(look, 0, '#e8e6dc')
  const lid = outline([
    [0, 82],
    [12, 96],
    [40, 88],
    [75, 40],
    [86, 14],
    [110, 22],
    [128, 2],
  ])
  return {
    body:
      thrown(look, [
        [0, 96],
        [25, 104],
        [160, 168],
        [290, 178],
        [380, 128],
        [408, 80],
        [430, 80],
      ]) + moved(0, -428, shape(lid, base) + shape(lid, round(base), 'opacity=".6"')),
    width: 350,
    setting: 'table',
  }
}

export const bowl: Subject = (look) => {
  const base = colour(look, 0, '#e8e6dc')
  const profile: Profile = [
    [0, 92],
    [26, 90],
    [36, 110],
    [110, 220],
    [200, 266],
    [250, 278],
  ]
  return {
    body:
      thrown(look, profile) +
      oval(0, -250, 278, 44, light(base, 0.35)) +
      oval(0, -246, 264, 37, slope(dark(base, 0.25))),
    width: 540,
    height: 340,
    setting: 'table',
  }
}

const circle = (r: number, fill: string, more = '') => oval(0, 0, r, r, fill, more)

export const plate: Subject = (look) => {
  const base = colour(look, 0, '#eceade')
  const ink = colour(look, 1, '#3a5f9a')
  const second = colour(look, 2, ink)
  const rim = times(24, (at) =>
    moved(0, 0, oval(0, -222, 17, 10, at % 2 ? ink : second, 'opacity=".8"'), `rotate(${at * 15})`),
  )
  const leaves = times(11, (at) =>
    moved(0, 0, oval(0, -112, 12, 34, at % 3 ? ink : second, 'opacity=".72"'), `rotate(${at * 32.7})`),
  )
  return {
    body: moved(
      0,
      -280,
      circle(272, dark(base, 0.45)) +
        circle(268, slope(base)) +
        circle(256, 'none', `stroke="${ink}" stroke-width="5" opacity=".8"`) +
        rim +
        circle(190, slope(light(base, 0.3)), `stroke="${ink}" stroke-width="3"`) +
        leaves +
        sprig(0, 0, 96, ink) +
        sprig(-4, -2, 46, second) +
        `<path d="M-190 -170A255 255 0 0 1 60 -248" fill="none" stroke="#ffffff" stroke-width="14" stroke-linecap="round" opacity=".4"/>`,
    ),
    width: 380,
    setting: 'table',
  }
}

export const teapot: Subject = (look) => {
  const base = colour(look, 0, '#d9d9d6')
  const trim = colour(look, 2, dark(base, 0.25))
  const handle = `<path d="M190 -240C330 -300 330 -60 170 -90" fill="none" stroke="${trim}" stroke-width="24"/><path d="M196 -246C318 -292 318 -80 180 -96" fill="none" stroke="${light(trim, 0.4)}" stroke-width="5"/>`
  const spout = shape('M-160 -110C-260 -120 -250 -250 -330 -290L-292 -312C-210 -280 -230 -210 -150 -210Z', slope(base))
  const lid = outline([
    [0, 92],
    [16, 84],
    [44, 50],
    [54, 16],
    [78, 22],
    [94, 2],
  ])
  return {
    body:
      spout +
      handle +
      thrown(look, [
        [0, 96],
        [18, 92],
        [34, 108],
        [120, 198],
        [220, 190],
        [280, 108],
        [290, 96],
      ]) +
      moved(0, -288, shape(lid, round(base))),
    width: 560,
    height: 420,
    setting: 'table',
  }
}

/** A low bowl-shaped chawan of streaked glaze, on three sides uneven as a hand leaves it. */
export const teaBowl: Subject = (look) => {
  const base = colour(look, 0, '#2e2a28')
  const glaze = colour(look, 1, '#7d5a3c')
  const path = outline([
    [0, 80],
    [16, 82],
    [24, 118],
    [90, 186],
    [200, 196],
    [262, 188],
  ])
  const drips = times(9, (at) => {
    const x = -190 + at * 48
    const drop: Point[] = [
      [x, -270],
      [x + 8, -190 + look.random() * 40],
      [x + 2, -110 + look.random() * 60],
    ]
    return line(drop, glaze, 34, 'opacity=".5"')
  })
  return {
    body:
      shape(path, base) +
      within(path, drips) +
      shape(path, round(base), 'opacity=".55"') +
      oval(0, -262, 188, 30, light(glaze, 0.2)) +
      oval(0, -258, 176, 24, dark(base, 0.4)) +
      within(path, gloss(-90, -150, 60)),
    width: 400,
    height: 320,
    setting: 'table',
  }
}

export const tobaccoJar: Subject = (look) => {
  const glaze = colour(look, 0, '#2f6f6a')
  const pot = outline([
    [0, 120],
    [20, 130],
    [120, 148],
    [280, 150],
    [380, 120],
    [410, 104],
  ])
  const lid = outline([
    [0, 110],
    [30, 96],
    [60, 30],
    [74, 26],
    [96, 2],
  ])
  const panel = times(
    5,
    (at) =>
      oval(-120 + at * 60, -220, 24, 90, colour(look, 1, '#d8a03a'), 'opacity=".75"') +
      oval(-120 + at * 60, -220, 10, 60, colour(look, 2, '#7c2f24'), 'opacity=".8"'),
  )
  return {
    body:
      shape(pot, glaze) +
      within(pot, panel + rect(-200, -360, 400, 12, '#1d1a17') + rect(-200, -80, 400, 12, '#1d1a17')) +
      shape(pot, round(glaze), 'opacity=".5"') +
      moved(0, -408, shape(lid, round(glaze))),
    width: 310,
    setting: 'table',
  }
}

export const goblet: Subject = (look) => {
  const glass = colour(look, 0, '#a9c3b4')
  const profile: Profile = [
    [0, 118],
    [8, 120],
    [24, 60],
    [46, 22],
    [150, 17],
    [190, 30],
    [215, 18],
    [260, 92],
    [360, 134],
    [480, 122],
    [500, 120],
  ]
  const path = outline(profile)
  return {
    body:
      shape(path, glass, 'opacity=".38"') +
      shape(path, round(glass), 'opacity=".42"') +
      within(
        path,
        rect(-200, -400, 400, 140, colour(look, 1, light(glass, 0.3)), 'opacity=".35"') +
          gloss(-78, -385, 80) +
          gloss(70, -360, 50),
      ) +
      shape(path, 'none', `stroke="${light(glass, 0.75)}" stroke-width="4" opacity=".8"`) +
      oval(0, -500, 120, 18, light(glass, 0.6), `opacity=".45" stroke="#ffffff" stroke-width="3"`),
    width: 240,
    setting: 'table',
  }
}
