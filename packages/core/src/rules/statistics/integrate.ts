/** Nodes of the 15-point rule of Kronrod on 0 to 1, from the outside; every second one belongs to the rule of Gauss. */
const nodes = [
  0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911,
  0.4058451513773972, 0.20778495500789848, 0,
]
const kronrodWeights = [
  0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592, 0.1690047266392679,
  0.19035057806478542, 0.20443294007529889, 0.20948214108472782,
]
const gaussWeights = [0.1294849661688697, 0.27970539148927664, 0.3818300505051189, 0.4179591836734694]

/**
 * Largest difference of the two rules in a range, for an integral of about 1. The error of Kronrod's rule, whose value
 * is used, is smaller by orders of magnitude.
 */
const tolerance = 1e-12

/** Maximum number of times that a range is halved: then it is as narrow as the spacing of doubles near its ends. */
const maxDepth = 48

/**
 * Integrates a function by the adaptive rule of Gauss and Kronrod with 15 points, as in QUADPACK (Piessens et al.
 * 1983). It is deterministic, unlike sampling: the same input has the same result on every machine.
 *
 * @param f function to integrate.
 * @param points ascending points; the integral is from the first to the last point. Between two neighbors the function
 *   should change gradually.
 * @param scale size of the expected result, to which the error is relative.
 */
export function integrate(f: (x: number) => number, points: readonly number[], scale = 1): number {
  let sum = 0
  for (let i = 1; i < points.length; i++)
    sum += integratePanel(f, { lower: points[i - 1]!, upper: points[i]! }, tolerance * scale, 0)
  return sum
}

/** An interval of real numbers. */
interface Interval {
  readonly lower: number
  readonly upper: number
}

function integratePanel(f: (x: number) => number, { lower, upper }: Interval, error: number, depth: number): number {
  const middle = (lower + upper) / 2
  const half = (upper - lower) / 2
  const center = f(middle)
  let kronrod = center * kronrodWeights[7]!
  let gauss = center * gaussWeights[3]!
  for (let i = 0; i < 7; i++) {
    const pair = f(middle - half * nodes[i]!) + f(middle + half * nodes[i]!)
    kronrod += pair * kronrodWeights[i]!
    if (i % 2 === 1) gauss += pair * gaussWeights[(i - 1) / 2]!
  }
  if (Math.abs(kronrod - gauss) * half <= error || depth === maxDepth) return kronrod * half
  return (
    integratePanel(f, { lower, upper: middle }, error, depth + 1) +
    integratePanel(f, { lower: middle, upper }, error, depth + 1)
  )
}
