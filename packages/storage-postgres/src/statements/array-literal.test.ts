import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arrayLiteral } from './array-literal.ts'

/**
 * Parses an array of text as the Postgres manual defines its literal: a character after a backslash is read literally.
 */
function readLiteral(literal: string): (string | null)[] {
  const elements = [...literal.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|null/gsu)]
  return elements.map(([, quoted]) => quoted?.replace(/\\(.)/gsu, '$1') ?? null)
}

const plain = fc.string({
  unit: fc.constantFrom('a', '"', '\\', ',', '{', '}', 'n', 'u', ' ', '😀', 'null'),
  maxLength: 12,
})

it('an array literal contains the items of the list', () => {
  fc.assert(
    fc.property(fc.array(fc.option(plain)), (items) => {
      expect(readLiteral(arrayLiteral(items) ?? 'none')).toEqual(items)
    }),
  )
})

it('no array literal is created for control characters, lone surrogates, or numbers that JSON does not have', () => {
  const unusual = fc.constantFrom<string | number>('\u0000', '\u0001', '\n', '\u001f', '\ud800', Number.NaN, Infinity)
  fc.assert(
    fc.property(fc.array(plain), unusual, fc.array(plain), (head, item, tail) => {
      const text = typeof item === 'string' ? `\\${item}"` : item
      expect(arrayLiteral([...head, text, ...tail])).toBeUndefined()
    }),
  )
})

it('a letter after an escaped backslash stays a letter', () => {
  expect(arrayLiteral(['\\n', '\\\\u0001'])).toBe('{"\\\\n","\\\\\\\\u0001"}')
})

it('numbers, booleans and null are written in the syntax of Postgres', () => {
  expect(arrayLiteral([1.5, -2, 1e21, true, null])).toBe('{1.5,-2,1e+21,true,null}')
  expect(arrayLiteral([])).toBe('{}')
})
