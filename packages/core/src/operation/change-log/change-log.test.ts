import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LogOrder } from './change-log.ts'

let count = 0
const host = { randomHex: (bytes: number) => (++count).toString(16).padStart(bytes * 2, '0') }

it('the change log assigns increasing positions and unique ids even when the clock goes back', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ now: fc.nat(5), engine: fc.nat(1) })), (calls) => {
      const engines = [new LogOrder(host), new LogOrder(host)]
      const positions = calls.map(({ now, engine }) => ({ engine, ...engines[engine]!.next(now) }))
      expect(new Set(positions.map(({ id }) => id)).size).toBe(calls.length)
      for (const engine of [0, 1]) {
        const enginePositions = positions.filter((position) => position.engine === engine)
        for (const [i, { at, id }] of enginePositions.entries()) {
          const before = enginePositions[i - 1]
          expect(!before || before.at < at || (before.at === at && before.id < id)).toBe(true)
        }
      }
    }),
  )
})

it('the change log assigns ids of URL-safe characters, and lets the clock go back after a restart', () => {
  const order = new LogOrder(host)
  expect(order.next(9).id).toMatch(/^[0-9a-z]{24}$/)
  expect(order.next(3).at).toBe(9)
  order.restart()
  expect(order.next(3).at).toBe(3)
})
