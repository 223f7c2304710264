import { dark, light, times } from './paint.ts'

export const hoop = (path: string, metal: string, width: number) =>
  `<path d="${path}" fill="none" stroke="${dark(metal, 0.45)}" stroke-width="${width}"/><path d="${path}" fill="none" stroke="${metal}" stroke-width="${width * 0.75}"/><path d="${path}" fill="none" stroke="${light(metal, 0.7)}" stroke-width="${width * 0.18}"/>`

export const grain = (x: number, y: number, w: number, h: number, wood: string, random: () => number) =>
  times(
    Math.round(h / 11),
    (at) =>
      `<path d="M${x} ${y + 6 + at * 11}q${w / 2} ${(random() * 14 - 7).toFixed(1)} ${w} 0" fill="none" stroke="${dark(wood, 0.5)}" stroke-width="1.5" opacity=".22"/>`,
  )
