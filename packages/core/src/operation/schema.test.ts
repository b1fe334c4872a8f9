import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { dictionary, parse, type Schema } from './schema.ts'

const faultsOf = (schema: Schema, value: unknown) => {
  const parsed = parse(schema, value)
  return parsed.ok ? [] : parsed.faults.map(({ attribute, reason }) => `${attribute} ${reason}`)
}

describe('the reason of a fault', () => {
  const chosen = v.picklist(['a', 'b'], 'must be a or b')
  const either = v.union([v.boolean(), v.picklist(['yes'])], 'must be true, false or yes')
  const kinds = v.variant(
    'kind',
    [v.object({ kind: v.literal('a') }), v.object({ kind: v.literal('b') })],
    'must be ours',
  )

  it.each<[string, Schema, unknown, string[]]>([
    ['is in the words of a picklist', v.object({ m: chosen }), { m: 'c' }, ['m must be a or b']],
    ['is in the words of a union', v.object({ m: either }), { m: 'no' }, ['m must be true, false or yes']],
    ['is in the words of a variant', v.object({ m: kinds }), { m: { kind: 'c' } }, ['m.kind must be ours']],
    ['is in the words of an object', v.object({ m: v.object({}, 'must be a box') }), { m: 1 }, ['m must be a box']],
    ['is that it is missing, whatever the words', v.object({ m: chosen }), {}, ['m must be present']],
    ['lists the choices where there are no words', v.picklist(['a', 'b']), 'c', [' must be one of "a", "b"']],
    ['never shows the value', v.custom(() => false), 'secret', [' must be valid']],
    ['never shows a number', v.object({ m: v.string() }), { m: 4_111_111 }, ['m must be a string']],
    ['is that a list is no dictionary', dictionary(v.string(), v.string()), ['a'], [' must be an object']],
  ])('%s', (_, schema, value, reasons) => {
    expect(faultsOf(schema, value)).toEqual(reasons)
  })
})

describe('unknown properties', () => {
  const inner = v.strictObject({ a: v.optional(v.string()) })
  const schema = v.strictObject({
    one: v.optional(inner),
    many: v.optional(v.array(inner)),
    text: v.optional(v.string()),
  })

  const unknown = (value: unknown) =>
    faultsOf(schema, value).map((fault) => fault.replace(/ is not a known member$/, ''))

  it('are all named, wherever they stand, with all other faults', () => {
    const value = { x: 1, y: 2, z: 3, text: 4, one: { p: 1, q: 2 }, many: [{ a: 'x' }, { r: 1, s: 2 }] }
    const named = ['x', 'y', 'z', 'text must be a string', 'one.p', 'one.q', 'many.1.r', 'many.1.s']
    expect(unknown(value).sort()).toEqual(named.sort())
  })

  it('are named once, and not looked for without end', () => {
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`m${i}`, i]))
    const named = unknown(value)
    expect(new Set(named).size).toBe(named.length)
    expect(named.length).toBeGreaterThanOrEqual(20)
    expect(named.length).toBeLessThan(100)
  })

  it('of what a schema has made of a value are named as far as the library does', () => {
    const moved = v.pipe(
      v.string(),
      v.transform((text): { readonly text: string } => Object.assign({ text }, { more: 1, most: 2 })),
      v.strictObject({ text: v.string() }),
    )
    expect(faultsOf(v.object({ m: moved }), { m: 'x' })).toEqual(['m.more is not a known member'])
  })

  it('leave the value as it was', () => {
    const value = Object.freeze({ x: 1, y: 2, one: Object.freeze({ p: 1, q: 2 }) })
    expect(unknown(value)).toHaveLength(4)
    expect(value).toEqual({ x: 1, y: 2, one: { p: 1, q: 2 } })
  })
})
