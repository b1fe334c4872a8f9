import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arrayLiteral } from './array-literal.ts'

/** Reads an array of text as the manual says it is written: a backslash stands before what is meant as it is. */
function readLiteral(literal: string): (string | null)[] {
  const elements = [...literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|null/gsu)]
  return elements.map(([, quoted]) => quoted?.replace(/\\(.)/gsu, '$1') ?? null)
}

const plain = fc.string({
  unit: fc.constantFrom('a', '"', '\\', ',', '{', '}', 'n', 'u', ' ', '😀', 'null'),
  maxLength: 12,
})

it('says what the list says', () => {
  fc.assert(
    fc.property(fc.array(fc.option(plain)), (items) => {
      expect(readLiteral(arrayLiteral(items) ?? 'none')).toEqual(items)
    }),
  )
})

it('is not made of control characters, of half a character, or of numbers that JSON does not have', () => {
  const unusual = fc.constantFrom<string | number>('\u0000', '\u0001', '\n', '\u001f', '\ud800', Number.NaN, Infinity)
  fc.assert(
    fc.property(fc.array(plain), unusual, fc.array(plain), (before, one, after) => {
      const text = typeof one === 'string' ? `\\${one}"` : one
      expect(arrayLiteral([...before, text, ...after])).toBeUndefined()
    }),
  )
})

it('leaves it to nobody what is no letter after a backslash', () => {
  expect(arrayLiteral(['\\n', '\\\\u0001'])).toBe('{"\\\\n","\\\\\\\\u0001"}')
})

it('writes numbers, truth and nothing as they are read', () => {
  expect(arrayLiteral([1.5, -2, 1e21, true, null])).toBe('{1.5,-2,1e+21,true,null}')
  expect(arrayLiteral([])).toBe('{}')
})
