import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonWriter } from './encode.ts'

const access = Object.freeze({ allowed: [], denied: [{ action: 'deleteFlag', reason: { effect: 'deny' } }] })
const properties = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })

it('jsonWriter writes text that parses to the same value, with shared access details or without', () => {
  const write = jsonWriter()
  const resource = fc.oneof(
    properties,
    properties.map((rest) => ({ ...rest, _access: access })),
    properties.map((rest) => ({ _access: access, ...rest })),
  )
  const body = fc.oneof(
    fc.jsonValue(),
    resource,
    fc.record({ items: fc.array(fc.oneof(resource, fc.jsonValue())), totalCount: fc.nat() }),
  )
  const survives = (value: unknown) => {
    expect(JSON.parse(write(value))).toEqual(JSON.parse(JSON.stringify(value)))
  }
  fc.assert(fc.property(body, survives))
})

it('jsonWriter writes the current value of access details that are not frozen', () => {
  const write = jsonWriter()
  const open = { allowed: ['one'] }
  expect(write({ _access: open })).toBe('{"_access":{"allowed":["one"]}}')
  open.allowed.push('two')
  expect(write({ _access: open })).toBe('{"_access":{"allowed":["one","two"]}}')
})

it('jsonWriter omits undefined properties, as `JSON.stringify` does', () => {
  expect(jsonWriter()({ a: undefined, _access: access, b: 1 })).toBe(`{"b":1,"_access":${JSON.stringify(access)}}`)
  expect(jsonWriter()({ items: [undefined, 1] })).toBe('{"items":[null,1]}')
})
