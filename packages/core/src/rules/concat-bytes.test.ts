import fc from 'fast-check'
import { expect, it } from 'vitest'
import { concatBytes } from './concat-bytes.ts'

it('concatBytes returns all bytes of all pieces, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 }), (pieces) => {
      expect([...concatBytes(pieces)]).toEqual(pieces.flatMap((piece) => [...piece]))
    }),
  )
})

it('concatBytes returns a single piece without copying it', () => {
  const piece = new Uint8Array([1, 2])
  expect(concatBytes([piece])).toBe(piece)
})
