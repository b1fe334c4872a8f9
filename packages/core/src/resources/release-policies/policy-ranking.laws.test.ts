import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keysByRank, type PolicyRanking, ranked, unranked } from './policy-ranking.ts'

const step = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  does: fc.constantFrom('comes', 'comes', 'leaves', 'becomes the default'),
})

it('ranks policies like a plain list that ends with the default', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let ranking: PolicyRanking = { version: 0, scoped: [] }
      let list: string[] = []
      let usual: string | undefined
      for (const { key, does } of steps) {
        if (does === 'becomes the default' && usual !== undefined && usual !== key) continue
        list = list.filter((one) => one !== key)
        if (usual === key) usual = undefined
        ranking = unranked(ranking, key)
        if (does === 'comes') list.push(key)
        if (does === 'becomes the default') usual = key
        if (does !== 'leaves') ranking = ranked(ranking, key, does === 'comes')
        expect(keysByRank(ranking)).toEqual(usual === undefined ? list : [...list, usual])
        expect(ranking.defaultKey).toBe(usual)
      }
    }),
  )
})
