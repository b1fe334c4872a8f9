import fc from 'fast-check'
import { expect, it } from 'vitest'
import { logOrder } from './log-order.ts'

let made = 0
const host = { randomHex: (bytes: number) => (++made).toString(16).padStart(bytes * 2, '0') }

it('keeps the order of entries whatever the clock does, and never gives an id twice', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ now: fc.nat(5), engine: fc.nat(1) })), (calls) => {
      const engines = [logOrder(host), logOrder(host)]
      const places = calls.map(({ now, engine }) => ({ engine, ...engines[engine]!.next(now) }))
      expect(new Set(places.map(({ id }) => id)).size).toBe(calls.length)
      for (const engine of [0, 1]) {
        const own = places.filter((place) => place.engine === engine)
        for (const [i, { at, id }] of own.entries()) {
          const before = own[i - 1]
          expect(!before || before.at < at || (before.at === at && before.id < id)).toBe(true)
        }
      }
    }),
  )
})

it('gives ids that stand in a URL as they are, and lets the clock go back when it is told to', () => {
  const order = logOrder(host)
  expect(order.next(9).id).toMatch(/^[0-9a-z]{24}$/)
  expect(order.next(3).at).toBe(9)
  order.forget()
  expect(order.next(3).at).toBe(3)
})
