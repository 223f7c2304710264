/** The lightness of a picture: one value a pixel, rows from the top. */
export type Lightness = { width: number; height: number; values: Float64Array }

// Wang, Bovik, Sheikh, Simoncelli: Image Quality Assessment, 2004: a Gaussian window of 11 pixels, sigma 1.5.
const reach = 5
const weights = Array.from({ length: 2 * reach + 1 }, (_, at) => Math.exp(-((at - reach) ** 2) / (2 * 1.5 ** 2)))
const sum = weights.reduce((all, each) => all + each)
const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2]

/** The lightness of pixels of three channels. */
export function lightnessOf(data: Buffer, width: number, height: number): Lightness {
  const values = Float64Array.from(
    { length: width * height },
    (_, at) => 0.299 * data[3 * at]! + 0.587 * data[3 * at + 1]! + 0.114 * data[3 * at + 2]!,
  )
  return { width, height, values }
}

// Averages along rows. The result is transposed, so that a second call averages along columns.
function smear(values: Float64Array, width: number, height: number): Float64Array {
  const narrow = width - 2 * reach
  const smeared = new Float64Array(narrow * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < narrow; x++) {
      let value = 0
      for (let at = 0; at < weights.length; at++) value += weights[at]! * values[y * width + x + at]!
      smeared[x * height + y] = value / sum
    }
  return smeared
}

/** The mean structural similarity of two pictures of one size, at full resolution. */
export function computeSsim(one: Lightness, other: Lightness): number {
  const { width, height } = one
  const average = (values: Float64Array) => smear(smear(values, width, height), height, width - 2 * reach)
  const product = (a: Float64Array, b: Float64Array) => average(a.map((value, at) => value * b[at]!))
  const [mx, my] = [average(one.values), average(other.values)]
  const xx = product(one.values, one.values)
  const yy = product(other.values, other.values)
  const xy = product(one.values, other.values)
  let total = 0
  for (const [at, x] of mx.entries()) {
    const y = my[at]!
    const alike = (2 * x * y + c1) * (2 * (xy[at]! - x * y) + c2)
    total += alike / ((x * x + y * y + c1) * (xx[at]! - x * x + yy[at]! - y * y + c2))
  }
  return total / mx.length
}
