import { describe, expect, it } from 'vitest'
import { coalesce } from './coalesce.ts'

function recordedQuery() {
  const calls: (readonly number[])[] = []
  const query = coalesce(async (inputs: readonly number[]) => {
    calls.push([...inputs])
    if (inputs.includes(13)) throw new Error('unlucky')
    return inputs.map((input) => input * 10)
  })
  return { ask: query, asked: calls }
}

describe('coalesced queries', () => {
  it('are one query when they are made in one turn of the event loop, and each caller gets its own results', async () => {
    const { ask: query, asked: calls } = recordedQuery()
    expect(await Promise.all([query([1]), query([2, 3]), query([]), query([1])])).toEqual([[10], [20, 30], [], [10]])
    expect(calls).toEqual([[1, 2, 3, 1]])
  })

  it('are two when the second is made after the first has resolved', async () => {
    const { ask: query, asked: calls } = recordedQuery()
    expect([await query([1]), await query([2])]).toEqual([[10], [20]])
    expect(calls).toEqual([[1], [2]])
  })

  it('are two when the second is made while the first is running', async () => {
    const { ask: query, asked: calls } = recordedQuery()
    const first = query([1])
    while (calls.length === 0) await undefined
    expect(await Promise.all([first, query([2])])).toEqual([[10], [20]])
    expect(calls).toEqual([[1], [2]])
  })

  it('fail together, but later calls do not fail', async () => {
    const { ask: query } = recordedQuery()
    const results = await Promise.allSettled([query([1]), query([13])])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await query([1])).toEqual([10])
  })
})
