import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WriterLines } from './redo.ts'

const names = ['a', 'b', 'c', 'd'] as const
const documents = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 })
const turn = () => new Promise(setImmediate)

it('each writer has its turn, alone with its documents, and in the order of arrival for each document', async () => {
  const property = fc.asyncProperty(fc.array(documents, { maxLength: 12 }), async (writers) => {
    const lines = new WriterLines()
    const active = new Set<string>()
    const turns: number[] = []
    await Promise.all(
      writers.map(async (own, writer) => {
        const place = await lines.join(new Set(own))
        expect(own.filter((name) => active.has(name))).toEqual([])
        for (const name of own) active.add(name)
        turns.push(writer)
        await turn()
        for (const name of own) active.delete(name)
        place.leave()
      }),
    )
    for (const name of names) {
      const inLine = turns.filter((writer) => writers[writer]?.includes(name))
      expect(inLine).toEqual([...inLine].sort((first, second) => first - second))
    }
    expect(turns).toHaveLength(writers.length)
    expect(lines.mustJoin(new Set<string>(names))).toBe(false)
  })
  await fc.assert(property, { numRuns: 200 })
})

it('a new writer joins a queue in which another one waits, or whose only writer blocks', async () => {
  const lines = new WriterLines()
  const [one, two] = [new Set(['a']), new Set(['b'])]
  const first = await lines.join(one)
  expect([lines.mustJoin(one), lines.mustJoin(two)]).toEqual([false, false])
  first.blocks = true
  expect([lines.mustJoin(one), lines.mustJoin(two)]).toEqual([true, false])
  first.blocks = false
  const second = lines.join(new Set(['a', 'b']))
  expect([lines.mustJoin(one), lines.mustJoin(two)]).toEqual([true, true])
  first.leave()
  const secondPlace = await second
  expect([lines.mustJoin(one), lines.mustJoin(two)]).toEqual([false, false])
  secondPlace.leave()
})
