import { describe, expect, it } from 'vitest'
import type { Caller } from '../../operation/caller.ts'
import { parseAddress, type Resource } from '../../rules/address.ts'
import { compilePolicy } from '../../rules/policy/policy.ts'
import { policyRules } from '../../rules/policy/policy-rules.ts'
import type { Statement } from '../../rules/policy/statement.ts'
import { AccessByAddress } from './access-by-address.ts'

const rules = policyRules([{ shape: 'boat', actions: ['viewBoat', 'updateBoat'] }])

const roleOf = (...statements: Statement[]) => compilePolicy([rules.compileRole({ name: 'Sailor', statements })])
const allow = (action: string, resource: string): Statement => ({
  effect: 'allow',
  actions: [action],
  resources: [resource],
})

const caller: Caller = {
  id: 'ann',
  layers: [roleOf(allow('viewBoat', 'boat/*'), allow('updateBoat', 'boat/own-*'))],
  memberId: undefined,
  tokenId: undefined,
  grants: [],
  standing: undefined,
  roleAttributes: {},
}

const boat = (key: string) => parseAddress(`boat/${key}`) as Resource

/** Makes an empty cache that counts the resources whose decisions it computes. */
function countingCache() {
  const counts = { decided: 0 }
  const cache = new AccessByAddress({
    ...rules,
    decisionsOf(policy, resource) {
      counts.decided++
      return rules.decisionsOf(policy, resource)
    },
  })
  const actionsOf = (key: string) => cache.accessOf(caller, boat(key)).allowed.map(({ action }) => action)
  return { cache, counts, actionsOf }
}

describe('the access details of a resource', () => {
  it('are computed once, and one object is shared by all resources with the same decisions', () => {
    const { cache, counts, actionsOf } = countingCache()
    expect([actionsOf('own-a'), actionsOf('b')]).toEqual([['viewBoat', 'updateBoat'], ['viewBoat']])
    expect(cache.accessOf(caller, boat('own-a'))).toBe(cache.accessOf(caller, boat('own-c')))
    expect(counts.decided).toBe(3)
    actionsOf('b')
    expect(counts.decided).toBe(3)
  })

  it('are frozen', () => {
    const { cache } = countingCache()
    const { allowed } = cache.accessOf(caller, boat('b'))
    expect([Object.isFrozen(allowed), Object.isFrozen(allowed[0])]).toEqual([true, true])
  })

  it('are computed again when an attribute of the resource differs', () => {
    const { cache, counts } = countingCache()
    const boatWithTags = (...tags: string[]): Resource => [{ kind: 'boat', key: 'b', tags }]
    for (const resource of [boatWithTags('red'), boatWithTags('red'), boatWithTags('blue')])
      cache.accessOf(caller, resource)
    expect(counts.decided).toBe(2)
  })

  it('are evicted when the details of 2,000 other resources are cached, and are correct when computed again', () => {
    const { counts, actionsOf } = countingCache()
    for (let i = 0; i < 2000; i++) actionsOf(`${i}`)
    actionsOf('0')
    expect(counts.decided).toBe(2000)
    // After the cache was emptied, decisions are numbered again, so the first numbers belong to other decisions than
    // before.
    expect(actionsOf('own-a')).toEqual(['viewBoat', 'updateBoat'])
    expect(actionsOf('0')).toEqual(['viewBoat'])
    expect(counts.decided).toBe(2002)
  })
})
