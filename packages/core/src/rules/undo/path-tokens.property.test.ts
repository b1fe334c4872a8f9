import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeToken } from '../json-delta.ts'
import { parseToken, rootProperty } from './path-tokens.ts'

const name = fc.oneof(fc.string(), fc.constantFrom('~', '/', '~1', '~01', 'a/b~c', ''))

it('parseToken reverses the escapes of a JSON Pointer', () => {
  const property = fc.property(name, (token) => {
    expect(parseToken(escapeToken(token))).toBe(token)
  })
  fc.assert(property)
})

it('rootProperty returns the name of the property at the root of a pointer', () => {
  const property = fc.property(name, fc.array(name), (root, inner) => {
    expect(rootProperty(['', root, ...inner].map(escapeToken).join('/'))).toBe(root)
  })
  fc.assert(property)
  expect(rootProperty('')).toBe('')
})
