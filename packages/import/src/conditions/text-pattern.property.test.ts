import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addressPattern, anyCasePattern, escapePattern, portablePattern } from './text-pattern.ts'

const letters = fc.string({ unit: fc.constantFrom(...'aAbBkK\u212A.*[]-^$/\\ éÉßıİ1'), maxLength: 8 })

it('a case-insensitive pattern matches exactly where the text in lower case occurs in the other text in lower case', () => {
  const find = { start: 'startsWith', end: 'endsWith', anywhere: 'includes' } as const
  fc.assert(
    fc.property(letters, letters, fc.constantFrom('start', 'end', 'anywhere'), (text, part, position) => {
      // A letter that becomes two letters in lower case is not a single letter of any pattern.
      fc.pre(![...text].some((letter) => letter.toLowerCase().length > 1))
      const pattern = new RegExp(anyCasePattern(part.toLowerCase(), position) as string)
      expect(pattern.test(text)).toBe(text.toLowerCase()[find[position]](part.toLowerCase()))
    }),
    { numRuns: 1000 },
  )
  expect(anyCasePattern('x'.repeat(400), 'start')).toBeUndefined()
})

it('every special character of a pattern is escaped', () => {
  fc.assert(
    fc.property(letters, letters, (text, part) => new RegExp(escapePattern(part)).test(text) === text.includes(part)),
  )
})

const octets = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 })
const asNumber = (parts: readonly number[]) => parts.reduce((sum, part) => sum * 256 + part, 0)

it('an address pattern matches the addresses of its range and no others', () => {
  fc.assert(
    fc.property(octets, octets, fc.nat(32), fc.boolean(), (range, source, bits, isNear) => {
      const size = 2 ** (32 - bits)
      const first = Math.floor(asNumber(range) / size) * size
      const address = isNear ? first + (asNumber(source) % (size * 2)) : asNumber(source)
      fc.pre(address < 2 ** 32)
      const text = [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
      const pattern = new RegExp(addressPattern(`${range.join('.')}/${bits}`) as string)
      expect(pattern.test(text)).toBe(address >= first && address < first + size)
    }),
    { numRuns: 1000 },
  )
  expect(addressPattern('8.8.8.8')).toBe('^8\\.8\\.8\\.8$')
  for (const invalid of ['8.8.8', '8.8.8.256', '8.8.8.8/33', '::1/64', 'host'])
    expect(addressPattern(invalid)).toBeUndefined()
})

it('only patterns with the same meaning in RE2 and in JavaScript are portable', () => {
  for (const source of ['^ann@', '\\d+\\.\\d+', '(?:a|b)?c', '[a-z]{2,3}$', '\\bx\\b'])
    expect(portablePattern(source)).toBe(source)
  for (const source of ['(?i)a', '\\pL', '[[:alpha:]]', '(?P<x>a)', '\\z', '\\s', '(', '\\Qa\\E', 'x'.repeat(1001)]) {
    expect(portablePattern(source)).toBeUndefined()
  }
})
