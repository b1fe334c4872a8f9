import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCodePoints } from '../code-point-order.ts'
import { escapeText, fieldsFromJson, storableJson, unescapeText } from './storable-text.ts'

// Texts consist mostly of the characters that are escaped, and sometimes of others.
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u0000', '\u0001', '\u0002', 'a'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
})

describe('storable text', () => {
  it('contains no U+0000, and unescaping returns the original', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(escapeText(value)).not.toContain('\u0000')
        expect(unescapeText(escapeText(value))).toBe(value)
      }),
    )
  })

  it('keeps the order by code point', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(escapeText(a), escapeText(b)))).toBe(Math.sign(compareCodePoints(a, b)))
      }),
    )
  })

  it('equals the original when the text contains no escaped character', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (value) => escapeText(value) === value))
  })
})

describe('fields as jsonb', () => {
  const value = fc.oneof(
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(text),
  )

  it('are equal to the original after parsing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (fields) => {
        expect(fieldsFromJson(storableJson(fields))).toEqual(JSON.parse(JSON.stringify(fields)))
      }),
    )
  })

  it('contain neither U+0000 nor a lone surrogate, which jsonb refuses', () => {
    const json = storableJson({ name: 'a\u0000b', list: ['\ud800', '\u0001'] })
    expect(json).not.toMatch(/\\u(0000|d8)/)
    expect(fieldsFromJson(json)).toEqual({ name: 'a\u0000b', list: ['\ufffd', '\u0001'] })
  })

  it('contain the same text as the scalar they are compared with', () => {
    fc.assert(fc.property(text, (name) => storableJson({ name }) === `{"name":${storableJson(name)}}`))
  })
})
