import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { dictionary, jsonObject, parse, type Schema, withFastPath } from './schema.ts'

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
  ])('%s', (_, schema, value, reasons) => {
    expect(errorsOf(schema, value)).toEqual(reasons)
  })
})

describe('an array', () => {
  const optional = { a: v.optional(v.string()) }
  const inner = v.object(optional)
  const fast = withFastPath(v.object(optional), () => undefined)
  parse(inner, {})

  it.each<[string, Schema]>([
    ['object', v.object(optional)],
    ['strictObject', v.strictObject(optional)],
    ['looseObject', v.looseObject(optional)],
    ['objectWithRest', v.objectWithRest(optional, v.string())],
    ['record', v.record(v.string(), v.string())],
    ['dictionary', dictionary(v.string(), v.string())],
    ['jsonObject', jsonObject()],
    ['variant', v.variant('kind', [v.object({ kind: v.literal('a') })])],
    ['an object of a pipe', v.pipe(v.object(optional), v.readonly())],
    ['an object after a transformation', v.pipe(v.unknown(), v.object(optional))],
    ['an object with a fast path', fast],
    ['a copy of a schema that was used', v.partial(inner)],
    ['an optional object', v.optional(v.object(optional))],
    ['an object or null', v.nullable(v.object(optional))],
  ])('is not accepted in place of an object, for %s at any depth', (_, schema) => {
    for (const value of [[], ['x'], [{}]]) {
      expect(errorsOf(schema, value)).toEqual([' must be an object'])
      expect(errorsOf(v.object({ m: schema }), { m: value })).toEqual(['m must be an object'])
      expect(errorsOf(v.array(schema), [value])).toEqual(['0 must be an object'])
      expect(errorsOf(v.record(v.string(), schema), { n: value })).toEqual(['n must be an object'])
      expect(errorsOf(v.tuple([schema]), [value])).toEqual(['0 must be an object'])
      expect(errorsOf(v.variant('k', [v.object({ k: v.literal(1), m: schema })]), { k: 1, m: value })).toEqual([
        'm must be an object',
      ])
      expect(parse(v.union([v.object({ b: v.number() }), schema]), value).ok).toBe(false)
    }
  })

  it('does not affect the properties of a copy of a schema that was used', () => {
    const required = v.object({ a: v.string() })
    expect(parse(required, {}).ok).toBe(false)
    expect(parse(v.partial(required), {}).ok).toBe(true)
  })

  it('is valid where a schema has an array', () => {
    expect(parse(v.union([v.strictObject(optional), v.array(v.string())]), ['x'])).toEqual({ ok: true, value: ['x'] })
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

  it('of a transformed value are reported when the validation library finds them', () => {
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

describe('a list with a maximum length', () => {
  const readsElements = v.check<{ m: readonly string[] }, string>(({ m }) => m.every((item) => item.length > 0), 'must')
  const schema = v.pipe(
    v.object({ m: v.pipe(v.pipe(v.array(v.string()), v.readonly()), v.maxLength(2, 'must contain at most 2 items')) }),
    readsElements,
  )

  it('is refused for its length alone, before its elements are checked', () => {
    expect(errorsOf(schema, { m: [null, null, null] })).toEqual(['m must contain at most 2 items'])
  })

  it('is checked by the other rules when it is not too long', () => {
    expect(errorsOf(schema, { m: [null, 'a'] })).toEqual(['m.0 must be a string'])
    expect(errorsOf(schema, { m: ['a', ''] })).toEqual([' must'])
    expect(parse(schema, { m: ['a'] })).toEqual({ ok: true, value: { m: ['a'] } })
  })
})
