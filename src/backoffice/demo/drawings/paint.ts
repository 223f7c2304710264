/** What a subject is drawn with: its colours, main one first, and a source of numbers from 0 to 1 that never varies. */
export interface Look {
  readonly colours: readonly string[]
  readonly random: () => number
}

/** A subject as drawn: standing on y = 0 around x = 0 and growing upwards. */
export interface Sketch {
  readonly body: string
  readonly width: number
  /** 600 when left out. */
  readonly height?: number
  readonly setting: 'table' | 'wall' | 'cloth'
}

export type Subject = (look: Look) => Sketch

/** A repeatable source of numbers from 0 to 1 (mulberry32) seeded with a text. */
export function seeded(text: string): () => number {
  let state = 0x811c9dc5
  for (const char of text) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))

/** The colour `share` (0 to 1) of the way from one `#rrggbb` to another. */
export function mix(from: string, to: string, share: number): string {
  const target = channels(to)
  const mixed = channels(from).map((value, at) => Math.round(value + ((target[at] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

export const dark = (colour: string, share = 0.4) => mix(colour, '#140d08', share)
export const light = (colour: string, share = 0.4) => mix(colour, '#ffffff', share)

/** Fills: `round` shades as a cylinder does, `ball` as a sphere, `slope` from light above to dark below. */
export const round = (colour: string) => `url(#round-${colour.slice(1)})`
export const ball = (colour: string) => `url(#ball-${colour.slice(1)})`
export const slope = (colour: string) => `url(#slope-${colour.slice(1)})`

const shadings: Record<string, (colour: string) => string> = {
  round: (c) =>
    `<linearGradient id="round-${c.slice(1)}"><stop offset="0" stop-color="${dark(c, 0.5)}"/><stop offset=".16" stop-color="${dark(c, 0.15)}"/><stop offset=".3" stop-color="${light(c, 0.55)}"/><stop offset=".42" stop-color="${c}"/><stop offset=".75" stop-color="${dark(c, 0.3)}"/><stop offset=".93" stop-color="${dark(c, 0.55)}"/><stop offset="1" stop-color="${dark(c, 0.42)}"/></linearGradient>`,
  ball: (c) =>
    `<radialGradient id="ball-${c.slice(1)}" cx=".36" cy=".3" r=".75"><stop offset="0" stop-color="${light(c, 0.75)}"/><stop offset=".3" stop-color="${c}"/><stop offset="1" stop-color="${dark(c, 0.55)}"/></radialGradient>`,
  slope: (c) =>
    `<linearGradient id="slope-${c.slice(1)}" x1="0" x2=".25" y1="0" y2="1"><stop offset="0" stop-color="${light(c, 0.22)}"/><stop offset=".5" stop-color="${c}"/><stop offset="1" stop-color="${dark(c, 0.28)}"/></linearGradient>`,
}

/** The gradient definitions that a drawing's fills name. */
export function definitions(body: string): string {
  const named = new Set(body.match(/(?:round|ball|slope)-[0-9a-f]{6}(?=\))/g))
  return [...named].map((name) => shadings[name.slice(0, -7)]?.(`#${name.slice(-6)}`) ?? '').join('')
}

export type Point = readonly [x: number, y: number]

/** A smooth line through the points, as path commands after the first move (Catmull-Rom). */
export function through(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.max(0, Math.min(points.length - 1, index))] ?? [0, 0]
  return points
    .slice(1)
    .map((to, index) => {
      const [before, from, after] = [at(index - 1), at(index), at(index + 2)]
      const leave = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6]
      const reach = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6]
      return `C${[...leave, ...reach, ...to].map((value) => value.toFixed(1)).join(' ')}`
    })
    .join('')
}

/** Radii at heights, from the foot up. */
export type Profile = readonly (readonly [height: number, radius: number])[]

/** The closed outline of something turned on a wheel or a lathe. */
export function outline(profile: Profile): string {
  const right = profile.map(([height, radius]): Point => [radius, -height])
  const left = right.toReversed().map(([x, y]): Point => [-x, y])
  const [start, top] = [right[0] ?? [0, 0], left[0] ?? [0, 0]]
  return `M${start.join(' ')}${through(right)}L${top.join(' ')}${through(left)}Z`
}

let clips = 0

/** Draws something only where the path is. */
export function within(path: string, body: string): string {
  clips += 1
  return `<clipPath id="clip-${clips}"><path d="${path}"/></clipPath><g clip-path="url(#clip-${clips})">${body}</g>`
}

export const rect = (x: number, y: number, w: number, h: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" ${more}/>`
export const oval = (x: number, y: number, rx: number, ry: number, fill: string, more = '') =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`
export const line = (points: readonly Point[], colour: string, width: number, more = '') =>
  `<path d="M${(points[0] ?? [0, 0]).join(' ')}${through(points)}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" ${more}/>`
export const shape = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`
export const moved = (x: number, y: number, body: string, more = '') =>
  `<g transform="translate(${x} ${y}) ${more}">${body}</g>`
export const times = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('')

/** What hangs on a wall throws this: rectangles of little opacity over one another. */
export const cast = (x: number, y: number, w: number, h: number) =>
  times(8, (at) =>
    rect(x + 10 - at * 3, y + 14 - at * 2, w + at * 6, h + at * 7, '#1a120c', `opacity=".05" rx="${4 + at * 3}"`),
  )

/** A drawing's colour by place, or the other when the look has fewer. */
export const colour = (look: Look, place: number, otherwise: string) => look.colours[place] ?? otherwise
