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

it('is a patch that leads from one to the other, and one that leads back', () => {
  const property = fc.property(object, object, (before, after) => {
    const { patch, inverse } = jsonDelta(before, after)
    const follow = (from: object, changes: typeof patch) =>
      fjp.applyPatch(fjp.deepClone(from), fjp.deepClone(changes) as Operation[], true).newDocument
    expect(follow(before, patch)).toEqual(after)
    expect(follow(after, inverse)).toEqual(before)
  })
  fc.assert(property, { numRuns: 500 })
})

it('is what fast-json-patch finds', () => {
  const property = fc.property(object, object, (before, after) => {
    const { patch, inverse } = jsonDelta(before, after)
    expect(patch).toEqual(fjp.compare(before, after))
    expect(inverse).toEqual(fjp.compare(after, before))
  })
  fc.assert(property, { numRuns: 500 })
})

it('says nothing of members that JSON leaves out', () => {
  expect(jsonDelta({ a: 1, b: undefined }, { a: 1, c: undefined })).toEqual({ patch: [], inverse: [] })
  expect(jsonDelta({ a: undefined }, { a: 1 })).toEqual({
    patch: [{ op: 'add', path: '/a', value: 1 }],
    inverse: [{ op: 'remove', path: '/a' }],
  })
  expect(jsonDelta({}, { a: { b: undefined, c: 1 } }).patch).toEqual([{ op: 'add', path: '/a', value: { c: 1 } }])
})

it('puts a whole document in, or takes it away', () => {
  expect(jsonDelta(undefined, { a: 1 })).toEqual({
    patch: [{ op: 'add', path: '', value: { a: 1 } }],
    inverse: [{ op: 'remove', path: '' }],
  })
})
