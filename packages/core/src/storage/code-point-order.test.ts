import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCodePoints } from './code-point-order.ts'

const utf8 = new TextEncoder()

/** Compares the bytes of UTF-8, whose order is that of code points, as the collation "C" does. */
function compareBytes(a: string, b: string): number {
  const [left, right] = [utf8.encode(a), utf8.encode(b)]
  const index = left.findIndex((byte, i) => byte !== right[i])
  return index === -1 ? left.length - right.length : left[index]! - (right[index] ?? -1)
}

// Few characters, from both sides of each boundary, so that texts often share a prefix.
const borders = [
  'a',
  'b',
  '\u007f',
  '\u0080',
  '\u07ff',
  '\ud7ff',
  '\ue000',
  '\ufffd',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
]
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...borders), maxLength: 6 }))

describe('compareCodePoints', () => {
  it('orders as UTF-8 bytes do', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(compareBytes(a, b)))
      }),
      { numRuns: 2000 },
    )
  })

  it('is zero only for equal texts', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compareCodePoints(a, a)).toBe(0)
        expect(compareCodePoints(a, b) === 0).toBe(a === b)
      }),
    )
  })

  it('puts an astral character after U+FFFD, where UTF-16 units would put it before', () => {
    expect('\ufffd' < '\u{1f600}').toBe(false)
    expect(compareCodePoints('\ufffd', '\u{1f600}')).toBeLessThan(0)
    expect(compareCodePoints('\u{1f600}', '\ufffd')).toBeGreaterThan(0)
  })

  it('orders astral characters among themselves', () => {
    const sorted = ['\u{10000}', '\u{103ff}', '\u{10400}', '\u{1f600}', '\u{1f601}', '\u{10ffff}']
    expect([...sorted].reverse().sort(compareCodePoints)).toEqual(sorted)
  })

  it('puts a prefix before a longer text', () => {
    expect(compareCodePoints('', 'a')).toBeLessThan(0)
    expect(compareCodePoints('proj/p:x', 'proj/p')).toBeGreaterThan(0)
  })

  it('orders lone surrogates consistently, although they are not code points', () => {
    const texts = ['\ud83d', '\ude00', '\u{1f600}', '\ufffd', 'z', '\ud83dz']
    const sorted = [...texts].sort(compareCodePoints)
    expect([...texts].reverse().sort(compareCodePoints)).toEqual(sorted)
  })
})
