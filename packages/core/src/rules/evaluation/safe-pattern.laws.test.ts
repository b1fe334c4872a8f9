import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { re2Pattern } from './re2-pattern.ts'
import { safePattern } from './safe-pattern.ts'

/** Random patterns that the platform's engine and RE2 interpret alike, nested and repeated. */
const { pattern } = fc.letrec<{ pattern: string; piece: string; atom: string }>((tie) => ({
  pattern: fc.array(tie('piece'), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('')),
  piece: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '{2}', '{1,}', '{0,2}'))
    .map(([atom, times]) => atom + times),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '\\.', '\\*', '(?:)', '[.*]'),
    tie('pattern').map((inner) => `(${inner})`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    tie('pattern').map((inner) => `(?:^${inner}$)`),
  ),
}))

it('safePattern matches the same texts as the platform, with either engine', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '.', '*'), maxLength: 7 })
  let matched = 0
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 4 }), (source, texts) => {
      const native = new RegExp(source)
      const safe = safePattern(source, re2Pattern)
      for (const candidate of texts) {
        const expected = native.test(candidate)
        expect([source, candidate, safe?.(candidate)]).toEqual([source, candidate, expected])
        if (expected) matched++
      }
    }),
    { numRuns: 250 },
  )
  expect(matched).toBeGreaterThan(100)
})

it.each(['(', '[', '*a', 'a{2,1}', '(?<', '\\'])(
  'safePattern returns undefined for the invalid pattern %s',
  (source) => {
    expect(safePattern(source)).toBeUndefined()
  },
)

describe('a search that could be slow', () => {
  const slow = '^(a+)+$'
  const long = 'a'.repeat(1_000)

  it('runs on the given engine', () => {
    expect(safePattern(slow, re2Pattern)?.(long)).toBe(true)
    expect(safePattern(slow, re2Pattern)?.(`${long}!`)).toBe(false)
  })

  it('does not match without an engine', () => {
    expect(safePattern(slow)?.(long)).toBe(false)
    expect(safePattern(slow)?.(`${long}!`)).toBe(false)
  })

  it('does not match where the engine does not support the pattern', () => {
    expect(safePattern('^(?=a)(a+)+$', re2Pattern)?.(long)).toBe(false)
  })
})
