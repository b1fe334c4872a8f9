import { createHmac } from 'node:crypto'
import { init } from '@launchdarkly/node-server-sdk'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameSecret, secureModeHash } from './secure-mode.ts'

const key = fc.string({ unit: fc.constantFrom('a', ':', '%', 'ü', ' ', '3A', '😀'), minLength: 1, maxLength: 6 })
const kind = fc.constantFrom('user', 'org', 'device', 'a.b', 'A_1')
const single = fc.record({ kind, key })
const multi = fc.dictionary(kind, key, { minKeys: 1, noNullPrototype: true }).map((keys) => ({
  kind: 'multi',
  ...Object.fromEntries(Object.entries(keys).map(([name, contextKey]) => [name, { key: contextKey }])),
}))
const legacyUser = fc.record({ key })

it('secureModeHash returns the hash of the reference SDK', async () => {
  const client = init('sdk-of-the-environment', { offline: true, sendEvents: false })
  try {
    await fc.assert(
      fc.asyncProperty(fc.oneof(single, multi, legacyUser), async (context) => {
        const referenceHash = client.secureModeHash(context as never)
        expect(await secureModeHash(context, 'sdk-of-the-environment')).toBe(referenceHash)
      }),
    )
  } finally {
    client.close()
  }
})

it('secureModeHash returns the HMAC of the key of a user', async () => {
  const expected = createHmac('sha256', 'sdk-1').update('ann').digest('hex')
  expect(await secureModeHash({ kind: 'user', key: 'ann' }, 'sdk-1')).toBe(expected)
  expect(await secureModeHash({ kind: 'user' }, 'sdk-1')).toBeUndefined()
})

it('isSameSecret returns true exactly for equal texts', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => isSameSecret(a, b) === (a === b) && isSameSecret(a, a)))
})
