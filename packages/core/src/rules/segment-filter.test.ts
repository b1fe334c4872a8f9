import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSegmentFilter, type SegmentTerm } from './segment-filter.ts'

const reasonOf = (text: string) => {
  const parsed = parseSegmentFilter(text)
  return parsed.ok ? 'none' : parsed.fault.reason
}

describe('a segment filter', () => {
  it.each<[string, SegmentTerm[]]>([
    ['query equals beta', [{ field: 'query', value: 'beta' }]],
    ['query equals "two words"', [{ field: 'query', value: 'two words' }]],
    ['query equals "a \\"b\\" \\\\ ,"', [{ field: 'query', value: 'a "b" \\ ,' }]],
    ['tags anyOf [a]', [{ field: 'tags', values: ['a'] }]],
    ['tags anyOf ["a","b" , c]', [{ field: 'tags', values: ['a', 'b', 'c'] }]],
    ['unbounded equals true', [{ field: 'unbounded', value: true }]],
    ['external exists false', [{ field: 'external', value: false }]],
    [
      '  unbounded  equals  false , query equals x ',
      [
        { field: 'unbounded', value: false },
        { field: 'query', value: 'x' },
      ],
    ],
  ])('reads %s', (text, terms) => {
    expect(parseSegmentFilter(text)).toEqual({ ok: true, terms })
  })

  it.each([
    ['', 1],
    ['colour equals red', 1],
    ['query anyOf x', 7],
    ['query equals', 13],
    ['query equals "open', 14],
    ['tags anyOf a', 12],
    ['tags anyOf [a', 14],
    ['tags anyOf []', 13],
    ['unbounded equals maybe', 18],
    ['query equals a b', 16],
    ['query equals a,', 16],
    ['query equals a | query equals b', 16],
  ])('names the column where %j goes wrong', (text, column) => {
    expect(reasonOf(text)).toMatch(new RegExp(`^column ${column}: must be `))
  })

  it('has a longest length', () => {
    expect(reasonOf(`query equals ${'a'.repeat(1_987)}`)).toBe('none')
    expect(reasonOf(`query equals ${'a'.repeat(1_988)}`)).toBe('must have at most 2000 characters')
  })

  it('reads back any text that was quoted', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100, unit: 'grapheme' }), (value) => {
        const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`
        expect(parseSegmentFilter(`query equals ${quoted}`)).toEqual({ ok: true, terms: [{ field: 'query', value }] })
      }),
    )
  })

  it('never throws and never takes long', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_100 }), (text) => {
        expect(typeof parseSegmentFilter(text).ok).toBe('boolean')
      }),
    )
  })
})
