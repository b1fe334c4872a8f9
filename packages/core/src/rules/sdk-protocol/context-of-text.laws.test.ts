import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contextOfBase64, contextOfJson } from './context-of-text.ts'

const context = fc.record({
  kind: fc.constantFrom('user', 'org'),
  key: fc.string({ unit: 'grapheme', minLength: 1 }),
  name: fc.jsonValue(),
})

it('contextOfBase64 decodes a context from either alphabet, padded or not', () => {
  fc.assert(
    fc.property(context, (original) => {
      const json = JSON.stringify(original)
      const bytes = Buffer.from(json)
      const plain = bytes.toString('base64')
      for (const text of [plain, plain.replace(/=+$/, ''), bytes.toString('base64url')]) {
        expect(contextOfBase64(text)).toEqual(JSON.parse(json))
      }
    }),
  )
})

it('contextOfBase64 and contextOfJson return undefined for any other text, and never throw', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64url')),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
  )
  fc.assert(
    fc.property(anything, (text) => {
      for (const parsed of [contextOfBase64(text), contextOfJson(text)]) {
        if (parsed !== undefined)
          expect(typeof parsed === 'object' && ('key' in parsed || parsed.kind === 'multi')).toBe(true)
      }
    }),
  )
})

it.each(['', 'e30', 'bnVsbA', 'W10', '%%%', 'eyJraW5kIjoidXNlciJ9', 'eyJrZXkiOiL_In0', '{"key":"ann"}', 'A'.repeat(5)])(
  '%j is not a valid context',
  (text) => expect(contextOfBase64(text)).toBeUndefined(),
)
