import { colour, dark, light, line, mix, outline, oval, rect, round, shape, slope, through } from './paint.ts'
import type { Point, Subject } from './paint.ts'

/** A standing figure of a long-legged bird, for bronzes and porcelain. */
export const bird: Subject = (look) => {
  const base = colour(look, 0, '#5b6a58')
  const neck: Point[] = [
    [-70, -300],
    [-130, -400],
    [-80, -480],
    [-110, -560],
    [-150, -556],
  ]
  return {
    body:
      shape(
        outline([
          [0, 150],
          [24, 146],
          [40, 90],
        ]),
        round(dark(base, 0.2)),
      ) +
      line(
        [
          [10, -40],
          [0, -150],
          [14, -240],
        ],
        dark(base, 0.3),
        12,
      ) +
      line(
        [
          [44, -40],
          [50, -150],
          [36, -240],
        ],
        dark(base, 0.3),
        12,
      ) +
      shape(
        'M-110 -300C-90 -400 60 -400 200 -230C120 -240 90 -210 20 -215C-60 -215 -120 -240 -110 -300Z',
        slope(base),
      ) +
      `<path d="M-20 -330Q80 -320 180 -236" fill="none" stroke="${light(base, 0.4)}" stroke-width="5" opacity=".6"/><path d="M-40 -290Q60 -290 150 -240" fill="none" stroke="${light(base, 0.4)}" stroke-width="4" opacity=".5"/>` +
      `<path d="M-70 -300${through(neck)}" fill="none" stroke="${base}" stroke-width="34" stroke-linecap="round"/><path d="M-78 -306${through(neck)}" fill="none" stroke="${light(base, 0.4)}" stroke-width="7" opacity=".5"/>` +
      shape('M-140 -572L-250 -540L-140 -540Z', dark(base, 0.35)) +
      oval(-128, -562, 5, 5, '#f3ead2'),
    width: 300,
    setting: 'table',
  }
}

/** A bronze of two leaning forms on a stone block. */
export const bronze: Subject = (look) => {
  const patina = colour(look, 0, '#4d4a3a')
  return {
    body:
      rect(-130, -70, 260, 70, slope('#2b2926')) +
      rect(-130, -70, 260, 6, '#6a655c') +
      shape(
        'M-90 -70C-150 -240 -40 -330 -70 -450C-70 -540 40 -560 40 -470C40 -400 -10 -330 10 -230C20 -160 0 -100 -10 -70Z',
        slope(patina),
      ) +
      shape(
        'M20 -70C10 -180 110 -250 70 -360C60 -420 130 -450 150 -380C170 -280 110 -220 110 -70Z',
        slope(mix(patina, '#7c6a42', 0.3)),
      ) +
      line(
        [
          [-58, -130],
          [-50, -300],
          [-34, -470],
        ],
        light(patina, 0.55),
        12,
        'opacity=".5"',
      ) +
      line(
        [
          [60, -110],
          [90, -230],
          [100, -360],
        ],
        light(patina, 0.55),
        9,
        'opacity=".45"',
      ) +
      oval(-10, -510, 20, 24, light(patina, 0.4), 'opacity=".35"'),
    width: 300,
    setting: 'table',
  }
}
