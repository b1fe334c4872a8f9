import { describe, expect, it } from 'vitest'
import { integrate } from './integrate.ts'

/**
 * Functions that no polynomial approximates well, so that the tolerance decides where a range is not divided further.
 */
const integrals = [
  { name: 'the square root from 0 to 1', f: Math.sqrt, points: [0, 1], exact: 2 / 3 },
  { name: 'the logarithm from 0 to 1', f: Math.log, points: [0, 1], exact: -1 },
  { name: 'a kink between two points', f: (x: number) => Math.abs(x - 1 / 3), points: [0, 0.5, 1], exact: 5 / 18 },
  { name: 'a narrow peak', f: (x: number) => 1 / (1 + 2_500 * x * x), points: [-1, 1], exact: Math.atan(50) / 25 },
]

describe('integrate', () => {
  it.each(integrals)('is within 1e-12 of the closed form for $name', ({ f, points, exact }) => {
    expect(Math.abs(integrate(f, points) - exact)).toBeLessThan(1e-12)
  })

  it('is within 2e-13 of the closed form of the square root, relative to the scale', () => {
    expect(Math.abs(integrate(Math.sqrt, [0, 1]) - 2 / 3)).toBeLessThan(2e-13)
    const large = integrate((x) => 1e9 * Math.sqrt(x), [0, 1], 1e9)
    expect(Math.abs(large / 1e9 - 2 / 3)).toBeLessThan(2e-13)
  })

  it('evaluates a function no more often than its scale needs', () => {
    const evaluations = (scale: number) => {
      let count = 0
      integrate((x) => Math.sqrt(x) * (++count && scale), [0, 1], scale)
      return count
    }
    expect(evaluations(1e9)).toBe(evaluations(1))
    expect(evaluations(1)).toBeLessThan(1_000)
  })
})
