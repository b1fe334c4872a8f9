import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { dictionary, parse, type Schema } from './schema.ts'

const errorsOf = (schema: Schema, value: unknown) => {
  const parsed = parse(schema, value)
  return parsed.ok ? [] : parsed.errors.map(({ attribute, reason }) => `${attribute} ${reason}`)
}

describe('the reason of a validation error', () => {
  const chosen = v.picklist(['a', 'b'], 'must be a or b')
  const booleanOrYes = v.union([v.boolean(), v.picklist(['yes'])], 'must be true, false or yes')
  const kinds = v.variant(
    'kind',
    [v.object({ kind: v.literal('a') }), v.object({ kind: v.literal('b') })],
    'must be a or b',
  )

  it.each<[string, Schema, unknown, string[]]>([
    ['is the message of a picklist', v.object({ m: chosen }), { m: 'c' }, ['m must be a or b']],
    ['is the message of a union', v.object({ m: booleanOrYes }), { m: 'no' }, ['m must be true, false or yes']],
    ['is the message of a variant', v.object({ m: kinds }), { m: { kind: 'c' } }, ['m.kind must be a or b']],
    ['is the message of an object', v.object({ m: v.object({}, 'must be a map') }), { m: 1 }, ['m must be a map']],
    [
      'is that a property is missing, even when the schema has a message',
      v.object({ m: chosen }),
      {},
      ['m must be present'],
    ],
    [
      'lists the allowed values when the schema has no message',
      v.picklist(['a', 'b']),
      'c',
      [' must be one of "a", "b"'],
    ],
    ['does not contain a text value', v.custom(() => false), 'secret', [' must be valid']],
    ['does not contain a number', v.object({ m: v.string() }), { m: 4_111_111 }, ['m must be a string']],
    [
      'is that a list is not an object, for a dictionary',
      dictionary(v.string(), v.string()),
      ['a'],
      [' must be an object'],
    ],
  ])('%s', (_, schema, value, reasons) => {
    expect(errorsOf(schema, value)).toEqual(reasons)
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
    errorsOf(schema, value).map((error) => error.replace(/ is not a known member$/, ''))

  it('are all reported, at every depth, together with other validation errors', () => {
    const value = { x: 1, y: 2, z: 3, text: 4, one: { p: 1, q: 2 }, many: [{ a: 'x' }, { r: 1, s: 2 }] }
    const names = ['x', 'y', 'z', 'text must be a string', 'one.p', 'one.q', 'many.1.r', 'many.1.s']
    expect(unknown(value).sort()).toEqual(names.sort())
  })

  it('are each reported once, up to a limit', () => {
    const value = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`m${i}`, i]))
    const names = unknown(value)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(20)
    expect(names.length).toBeLessThan(100)
  })

  it('of a transformed value are reported as far as the validation library finds them', () => {
    const transformed = v.pipe(
      v.string(),
      v.transform((text): { readonly text: string } => Object.assign({ text }, { more: 1, most: 2 })),
      v.strictObject({ text: v.string() }),
    )
    expect(errorsOf(v.object({ m: transformed }), { m: 'x' })).toEqual(['m.more is not a known member'])
  })

  it('are reported without modifying the value', () => {
    const value = Object.freeze({ x: 1, y: 2, one: Object.freeze({ p: 1, q: 2 }) })
    expect(unknown(value)).toHaveLength(4)
    expect(value).toEqual({ x: 1, y: 2, one: { p: 1, q: 2 } })
  })
})
