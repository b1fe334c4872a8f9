import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventsIn, relayStore } from '../../resources/sdk-endpoints/relays/test/relay-store.ts'
import { type RelayEnvironment, relayChangeMessages, relayPutMessage } from './relay-messages.ts'

const environment = fc.record({
  envID: fc.constantFrom('a', 'b', 'c').map((letter) => letter.repeat(24)),
  envName: fc.constantFrom('Production', 'Test'),
  version: fc.integer({ min: 1, max: 4 }),
})

const environments = fc
  .uniqueArray(environment, { selector: ({ envID }) => envID })
  .map((list) => new Map(list.map((item) => [item.envID, item as RelayEnvironment])))

it('a relay has the environments of the last state after any sequence of states, whatever their versions are', () => {
  fc.assert(
    fc.property(fc.array(environments, { minLength: 2, maxLength: 6 }), (states) => {
      const store = relayStore()
      const apply = (text: string) => {
        for (const event of eventsIn(text)) store.apply(event)
      }
      let [before] = states as [(typeof states)[number]]
      apply(relayPutMessage(before))
      for (const after of states.slice(1)) {
        apply(relayChangeMessages(before, after))
        const names = (items: ReadonlyMap<string, RelayEnvironment>) =>
          Object.fromEntries([...items].map(([id, { envName }]) => [id, envName]))
        expect(names(store.all())).toEqual(names(after))
        before = after
      }
    }),
  )
})

it('no message is sent when only versions differ', () => {
  const one = { envID: 'a'.repeat(24), envName: 'Test', version: 1 } as RelayEnvironment
  const before = new Map([[one.envID, one]])
  expect(relayChangeMessages(before, new Map([[one.envID, { ...one, version: 2 }]]))).toBe('')
})
