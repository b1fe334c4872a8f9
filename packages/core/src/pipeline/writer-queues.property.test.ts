import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WriterQueues } from './redo.ts'

const names = ['a', 'b', 'c', 'd'] as const
const documents = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 })
const turn = () => new Promise(setImmediate)

it('each writer has exclusive access to its documents, in the order of arrival for each document', async () => {
  const property = fc.asyncProperty(fc.array(documents, { maxLength: 12 }), async (writers) => {
    const queues = new WriterQueues()
    const active = new Set<string>()
    const turns: number[] = []
    await Promise.all(
      writers.map(async (own, writer) => {
        const place = await queues.join(new Set(own))
        expect(own.filter((name) => active.has(name))).toEqual([])
        for (const name of own) active.add(name)
        turns.push(writer)
        await turn()
        for (const name of own) active.delete(name)
        place.leave()
      }),
    )
    for (const name of names) {
      const inQueue = turns.filter((writer) => writers[writer]?.includes(name))
      expect(inQueue).toEqual([...inQueue].sort((first, second) => first - second))
    }
    expect(turns).toHaveLength(writers.length)
    expect(queues.mustJoin(new Set<string>(names))).toBe(false)
  })
  await fc.assert(property, { numRuns: 200 })
})

it('a new writer must wait when another writer waits, or when the only active writer blocks new writers', async () => {
  const queues = new WriterQueues()
  const [one, two] = [new Set(['a']), new Set(['b'])]
  const first = await queues.join(one)
  expect([queues.mustJoin(one), queues.mustJoin(two)]).toEqual([false, false])
  first.blocks = true
  expect([queues.mustJoin(one), queues.mustJoin(two)]).toEqual([true, false])
  first.blocks = false
  const second = queues.join(new Set(['a', 'b']))
  expect([queues.mustJoin(one), queues.mustJoin(two)]).toEqual([true, true])
  first.leave()
  const secondPlace = await second
  expect([queues.mustJoin(one), queues.mustJoin(two)]).toEqual([false, false])
  secondPlace.leave()
})
