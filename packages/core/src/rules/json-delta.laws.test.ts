import fc from 'fast-check'
import fjp, { type Operation } from 'fast-json-patch'
import { expect, it } from 'vitest'
import { jsonDelta } from './json-delta.ts'

const name = fc.constantFrom('a', 'b', '', '0', '1', '-', 'a/b', 'm~n', '~1', 'toString')
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 'x', ''),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(name, tie('json'), { maxKeys: 4 }),
  ),
}))
const object = fc.dictionary(name, json, { maxKeys: 5 })

it('jsonDelta returns a patch from one object to the other, and its inverse', () => {
  const property = fc.property(object, object, (before, after) => {
    const { patch, inverse } = jsonDelta(before, after)
    const applyChanges = (from: object, changes: typeof patch) =>
      fjp.applyPatch(fjp.deepClone(from), fjp.deepClone(changes) as Operation[], true).newDocument
    expect(applyChanges(before, patch)).toEqual(after)
    expect(applyChanges(after, inverse)).toEqual(before)
  })
  fc.assert(property, { numRuns: 500 })
})

it('jsonDelta returns the same operations as fast-json-patch', () => {
  const property = fc.property(object, object, (before, after) => {
    const { patch, inverse } = jsonDelta(before, after)
    expect(patch).toEqual(fjp.compare(before, after))
    expect(inverse).toEqual(fjp.compare(after, before))
  })
  fc.assert(property, { numRuns: 500 })
})

it('jsonDelta ignores undefined properties, which JSON omits', () => {
  expect(jsonDelta({ a: 1, b: undefined }, { a: 1, c: undefined })).toEqual({ patch: [], inverse: [] })
  expect(jsonDelta({ a: undefined }, { a: 1 })).toEqual({
    patch: [{ op: 'add', path: '/a', value: 1 }],
    inverse: [{ op: 'remove', path: '/a' }],
  })
  expect(jsonDelta({}, { a: { b: undefined, c: 1 } }).patch).toEqual([{ op: 'add', path: '/a', value: { c: 1 } }])
})

it('jsonDelta adds or removes a whole document', () => {
  expect(jsonDelta(undefined, { a: 1 })).toEqual({
    patch: [{ op: 'add', path: '', value: { a: 1 } }],
    inverse: [{ op: 'remove', path: '' }],
  })
})
