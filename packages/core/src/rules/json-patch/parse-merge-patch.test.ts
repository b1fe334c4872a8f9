import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyPatch, parseMergePatch } from './index.ts'

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean())
const name = fc.constantFrom('a', 'b', 'c/d', '~e', '')

it('parseMergePatch changes a document of scalars as RFC 7396 specifies, if it removes only existing properties', () => {
  const document = fc.dictionary(name, scalar, { noNullPrototype: true })
  const patch = fc.dictionary(name, fc.option(scalar), { noNullPrototype: true })
  fc.assert(
    fc.property(document, patch, (before, randomPatch) => {
      const patch = Object.fromEntries(
        Object.entries(randomPatch).filter(([name, value]) => value !== null || Object.hasOwn(before, name)),
      )
      const merged = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null)
      expect(applyPatch(before, parseMergePatch(patch))).toEqual({ ok: true, value: Object.fromEntries(merged) })
    }),
  )
})

it('parseMergePatch escapes property names in pointers', () => {
  expect(parseMergePatch({ 'a/b~c': 1, d: null })).toEqual([
    { op: 'add', path: { text: '/a~1b~0c', tokens: ['a/b~c'] }, value: 1 },
    { op: 'remove', path: { text: '/d', tokens: ['d'] } },
  ])
})
