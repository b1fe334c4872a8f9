import * as v from 'valibot'
import { expect, it } from 'vitest'
import { undeclaredMembers } from './undeclared-members.ts'

const inner = v.object({ a: v.number() })

it.each([
  ['an object', v.object({ a: v.number() }), { a: 1, b: 2 }, ['b']],
  ['a nested object', v.object({ x: inner }), { x: { a: 1, b: 2 } }, ['x.b']],
  ['the items of an array', v.array(inner), [{ a: 1 }, { a: 1, b: 2 }], ['1.b']],
  ['the values of a record', v.record(v.string(), inner), { any: { b: 2 } }, ['any.b']],
  ['what is optional', v.object({ x: v.optional(inner) }), { x: { b: 1 } }, ['x.b']],
  ['what may be null', v.object({ x: v.nullable(inner) }), { x: { b: 1 } }, ['x.b']],
  ['what is behind a pipe', v.object({ x: v.pipe(v.array(inner), v.readonly()) }), { x: [{ b: 1 }] }, ['x.0.b']],
  ['the nearest of a union', v.union([inner, v.object({ b: v.number(), c: v.number() })]), { b: 1, d: 2 }, ['d']],
])('finds members that are too many in %s', (_, schema, value, expected) => {
  expect(undeclaredMembers(schema, value)).toEqual(expected)
})

it.each([
  ['all that is declared', v.object({ a: v.number(), x: v.optional(inner) }), { a: 1, x: { a: 2 } }],
  ['null where that may be', v.object({ x: v.nullable(inner) }), { x: null }],
  ['any names in a record', v.record(v.string(), v.number()), { a: 1, b: 2 }],
  ['anything below unknown', v.object({ x: v.unknown() }), { x: { y: { z: 1 } } }],
  ['a choice of texts', v.object({ x: v.picklist(['a', 'b']) }), { x: 'a' }],
])('finds nothing in %s', (_, schema, value) => {
  expect(undeclaredMembers(schema, value)).toEqual([])
})
