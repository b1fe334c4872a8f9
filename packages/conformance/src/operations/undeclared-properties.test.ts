import * as v from 'valibot'
import { expect, it } from 'vitest'
import { undeclaredProperties } from './undeclared-properties.ts'

const inner = v.object({ a: v.number() })

it.each([
  ['an object', v.object({ a: v.number() }), { a: 1, b: 2 }, ['b']],
  ['a nested object', v.object({ x: inner }), { x: { a: 1, b: 2 } }, ['x.b']],
  ['the items of an array', v.array(inner), [{ a: 1 }, { a: 1, b: 2 }], ['1.b']],
  ['the values of a record', v.record(v.string(), inner), { any: { b: 2 } }, ['any.b']],
  ['an optional value', v.object({ x: v.optional(inner) }), { x: { b: 1 } }, ['x.b']],
  ['a nullable value', v.object({ x: v.nullable(inner) }), { x: { b: 1 } }, ['x.b']],
  ['a pipe', v.object({ x: v.pipe(v.array(inner), v.readonly()) }), { x: [{ b: 1 }] }, ['x.0.b']],
  [
    'the closest option of a union',
    v.union([inner, v.object({ b: v.number(), c: v.number() })]),
    { b: 1, d: 2 },
    ['d'],
  ],
])('undeclaredProperties finds additional properties in %s', (_, schema, value, expected) => {
  expect(undeclaredProperties(schema, value)).toEqual(expected)
})

it.each([
  ['an object with declared properties only', v.object({ a: v.number(), x: v.optional(inner) }), { a: 1, x: { a: 2 } }],
  ['a nullable value that is null', v.object({ x: v.nullable(inner) }), { x: null }],
  ['a record with any names', v.record(v.string(), v.number()), { a: 1, b: 2 }],
  ['a value of an unknown schema', v.object({ x: v.unknown() }), { x: { y: { z: 1 } } }],
  ['a picklist', v.object({ x: v.picklist(['a', 'b']) }), { x: 'a' }],
])('undeclaredProperties finds nothing in %s', (_, schema, value) => {
  expect(undeclaredProperties(schema, value)).toEqual([])
})
