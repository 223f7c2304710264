import { definitions, mix, moved, oval, rect, seeded } from './paint.ts'
import type { Sketch, Subject } from './paint.ts'
import * as books from './books.ts'
import * as clocks from './clocks.ts'
import * as furniture from './furniture.ts'
import * as jewels from './jewels.ts'
import * as metalwork from './metalwork.ts'
import * as paintings from './paintings.ts'
import * as paper from './paper.ts'
import * as sculpture from './sculpture.ts'
import * as toys from './toys.ts'
import * as vessels from './vessels.ts'
import * as walls from './walls.ts'

const subjects = {
  ...books,
  ...clocks,
  ...furniture,
  ...jewels,
  ...metalwork,
  ...paintings,
  ...paper,
  ...sculpture,
  ...toys,
  ...vessels,
  ...walls,
} satisfies Record<string, Subject>

/** What a picture may show: the name of a drawing. */
export type SubjectName = keyof typeof subjects

/** A drawing and its colours, `#rrggbb`, main one first; left out, the drawing's own. */
export interface Picture {
  readonly subject: SubjectName
  readonly colours: readonly string[]
}

const rooms = {
  table: ['#cfc7ba', '#b9bfc0', '#c6c2b4', '#aeb6b0', '#c9bdb3', '#b4b0ac', '#8f979c', '#d6d1c7'],
  wall: ['#d9d5cb', '#c3c9c4', '#cfc4b4', '#b5bbbf', '#ddd9d2', '#a8afa6'],
  cloth: ['#2f3b47', '#4b3440', '#38443b', '#57503f', '#26262c', '#6b6f74'],
}

const fade = (id: string, from: string, to: string) =>
  `<linearGradient id="${id}" x2="0" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`

function room(kind: Sketch['setting'], tint: string, w: number, h: number, floor: number): string {
  const glow = `<radialGradient id="glow" cx=".42" cy=".36" r=".7"><stop offset="0" stop-color="#fff" stop-opacity=".5"/><stop offset=".6" stop-color="#fff" stop-opacity=".06"/><stop offset="1" stop-color="#000" stop-opacity=".2"/></radialGradient>`
  const backs =
    fade('back', mix(tint, '#ffffff', 0.15), mix(tint, '#000000', 0.08)) +
    fade('floor', mix(tint, '#000000', 0.14), mix(tint, '#ffffff', 0.28))
  const base = rect(0, 0, w, h, 'url(#back)')
  const seam = floor - h * 0.1
  return `<defs>${glow}${backs}</defs>${base}${kind === 'table' ? rect(0, seam, w, h - seam, 'url(#floor)') : ''}${rect(0, 0, w, h, 'url(#glow)')}`
}

/** Soft shadow without a blur: ovals of little opacity laid over one another. */
function shadow(sketch: Sketch): string {
  const layers = Array.from({ length: 9 }, (_, at) => at / 8)
  if (sketch.setting === 'table')
    return layers
      .map((s) =>
        oval(sketch.width * 0.08, 2, sketch.width * (0.42 + s * 0.26), 14 + s * 30, '#1a120c', 'opacity=".07"'),
      )
      .join('')
  if (sketch.setting === 'wall') return ''
  return layers
    .map((s) => oval(10, -260 + s * 6, sketch.width * (0.3 + s * 0.2), 190 + s * 90, '#000000', 'opacity=".035"'))
    .join('')
}

/** The picture as SVG, the same at every call; `close` comes nearer, as a second photograph would. */
export function compose(picture: Picture, close = false): string {
  const seed = [picture.subject, ...picture.colours].join(' ')
  const random = seeded(seed)
  const sketch = subjects[picture.subject]({ colours: picture.colours, random: seeded(`${seed} drawing`) })
  const height = sketch.height ?? 600
  const [w, h] = sketch.width < height * 0.72 ? [810, 1080] : [1080, 810]
  const tints = rooms[sketch.setting]
  const tint = tints[Math.floor(random() * tints.length)] ?? '#cccccc'
  const whole = Math.min(1.7, (w * 0.8) / sketch.width, (h * 0.8) / height)
  const scale = close ? whole * 1.6 : whole
  const centred = h / 2 + height * (close && sketch.setting === 'table' ? 0.62 : 0.5) * scale
  const floor = sketch.setting === 'table' && !close ? h * 0.86 : centred
  const lean = close ? 0.5 + (random() - 0.5) * 0.2 : 0.5
  const scene = moved(w * lean, floor, shadow(sketch) + sketch.body, `scale(${scale.toFixed(3)})`)
  const edge = `<radialGradient id="edge" r=".75"><stop offset=".6" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".22"/></radialGradient>`
  const body = `<defs>${edge}${definitions(sketch.body)}</defs>${room(sketch.setting, tint, w, h, floor)}${scene}${rect(0, 0, w, h, 'url(#edge)')}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}">${body}</svg>`
  // An element's own opacity costs the renderer a layer of the whole canvas; that of its fill and stroke does not.
  return svg.replace(/ opacity="([.\d]+)"/g, ' fill-opacity="$1" stroke-opacity="$1"')
}
