import { describe, expect, it } from 'vitest'
import { coalesced } from './coalesced.ts'

function counted() {
  const asked: (readonly number[])[] = []
  const ask = coalesced(async (questions: readonly number[]) => {
    asked.push([...questions])
    if (questions.includes(13)) throw new Error('unlucky')
    return questions.map((question) => question * 10)
  })
  return { ask, asked }
}

describe('coalesced queries', () => {
  it('are one query when they are made in one turn of the event loop, and each caller gets its own results', async () => {
    const { ask, asked } = counted()
    expect(await Promise.all([ask([1]), ask([2, 3]), ask([]), ask([1])])).toEqual([[10], [20, 30], [], [10]])
    expect(asked).toEqual([[1, 2, 3, 1]])
  })

  it('are two when the second is made after the first has resolved', async () => {
    const { ask, asked } = counted()
    expect([await ask([1]), await ask([2])]).toEqual([[10], [20]])
    expect(asked).toEqual([[1], [2]])
  })

  it('are two when the second is made while the first is running', async () => {
    const { ask, asked } = counted()
    const first = ask([1])
    while (asked.length === 0) await undefined
    expect(await Promise.all([first, ask([2])])).toEqual([[10], [20]])
    expect(asked).toEqual([[1], [2]])
  })

  it('fail together, and later ones do not', async () => {
    const { ask } = counted()
    const results = await Promise.allSettled([ask([1]), ask([13])])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await ask([1])).toEqual([10])
  })
})
