import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonChange, jsonDelta } from '../json-delta.ts'
import { applyChanges } from './apply-changes.ts'
import { anyObject } from './test/json-documents.ts'

const document = fc.option(anyObject, { nil: undefined })

describe('applyChanges', () => {
  it('applies the difference of any two documents, and its inverse', () => {
    const property = fc.property(document, document, (before, after) => {
      const { patch, inverse } = jsonDelta(before, after)
      expect(applyChanges(before, patch)).toEqual({ ok: true, value: after })
      expect(applyChanges(after, inverse)).toEqual({ ok: true, value: before })
    })
    fc.assert(property, { numRuns: 1000 })
  })

  it('modifies neither the value nor the changes', () => {
    const property = fc.property(document, document, (before, after) => {
      const { patch } = jsonDelta(before, after)
      const text = JSON.stringify([before, patch])
      const applied = applyChanges(before, patch)
      if (applied.ok) ((applied.value as Record<string, unknown> | undefined) ?? {}).added = true
      expect(JSON.stringify([before, patch])).toBe(text)
    })
    fc.assert(property, { numRuns: 300 })
  })

  it.each<[string, unknown, JsonChange]>([
    ['a replacement of an absent property', { a: 1 }, { op: 'replace', path: '/b', value: 1 }],
    ['a removal of an absent property', { a: 1 }, { op: 'remove', path: '/b' }],
    ['an inherited property', {}, { op: 'remove', path: '/toString' }],
    ['a path through a text', { a: 'x' }, { op: 'add', path: '/a/b', value: 1 }],
    ['a path through an absent object', {}, { op: 'add', path: '/a/b', value: 1 }],
    ['a path through null', { a: null }, { op: 'add', path: '/a/b', value: 1 }],
    ['an index beyond the end of a list', { a: [1] }, { op: 'add', path: '/a/2', value: 1 }],
    ['a negative index', { a: [1] }, { op: 'add', path: '/a/-1', value: 1 }],
    ['a name in a list', { a: [1] }, { op: 'add', path: '/a/x', value: 1 }],
    ['a change of an absent document', undefined, { op: 'add', path: '/a', value: 1 }],
  ])('refuses %s', (_, value, change) => {
    expect(applyChanges(value, [change])).toEqual({ ok: false })
  })
})
