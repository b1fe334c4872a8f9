import { expect, it } from 'vitest'
import { inTurns } from './in-turns.ts'

it('processing in turns lets other work run after every hundred items, but not after the last one', async () => {
  const steps: (number | 'turn')[] = []
  const nextTurn = async () => void steps.push('turn')
  const items = Array.from({ length: 300 }, (_, i) => i)
  await inTurns(items, { nextTurn }, (item) => void steps.push(item))
  expect(steps).toEqual([...items.slice(0, 100), 'turn', ...items.slice(100, 200), 'turn', ...items.slice(200)])
})
