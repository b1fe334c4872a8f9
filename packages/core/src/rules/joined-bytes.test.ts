import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joinedBytes } from './joined-bytes.ts'

it('has every byte of every piece, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 }), (pieces) => {
      expect([...joinedBytes(pieces)]).toEqual(pieces.flatMap((piece) => [...piece]))
    }),
  )
})

it('copies nothing where there is one piece alone', () => {
  const piece = new Uint8Array([1, 2])
  expect(joinedBytes([piece])).toBe(piece)
})
