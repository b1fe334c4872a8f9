import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keysByRank, type PolicyRanking, withoutPolicy, withRankedPolicy } from './policy-ranking.ts'

const step = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  does: fc.constantFrom('comes', 'comes', 'leaves', 'becomes the default'),
})

it('the ranking of policies equals a plain list that ends with the default policy', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let ranking: PolicyRanking = { version: 0, scoped: [] }
      let list: string[] = []
      let defaultKey: string | undefined
      for (const { key, does: action } of steps) {
        if (action === 'becomes the default' && defaultKey !== undefined && defaultKey !== key) continue
        list = list.filter((otherKey) => otherKey !== key)
        if (defaultKey === key) defaultKey = undefined
        ranking = withoutPolicy(ranking, key)
        if (action === 'comes') list.push(key)
        if (action === 'becomes the default') defaultKey = key
        if (action !== 'leaves') ranking = withRankedPolicy(ranking, key, action === 'comes')
        expect(keysByRank(ranking)).toEqual(defaultKey === undefined ? list : [...list, defaultKey])
        expect(ranking.defaultKey).toBe(defaultKey)
      }
    }),
  )
})
