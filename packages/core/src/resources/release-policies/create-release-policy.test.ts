import { describe, expect, it } from 'vitest'
import { failureOf, faultOf } from '../flags/test/flag-project.ts'
import { releaseProject } from '../release-pipelines/test/release-project.ts'
import { inProduction } from './test/policy-project.ts'

describe('createReleasePolicy', () => {
  it.each<[string, object, string, string]>([
    [
      'another method',
      { releaseMethod: 'slow' },
      'releaseMethod',
      'must be one of "guarded-release", "immediate-release", "progressive-release"',
    ],
    ['no method', { releaseMethod: undefined }, 'releaseMethod', 'must be present'],
    ['no name', { name: undefined }, 'name', 'must be present'],
    ['a long name', { name: 'n'.repeat(257) }, 'name', 'must have at most 256 characters'],
    ['the key of the order', { key: 'order' }, 'key', 'must not be order, under which the order of policies is found'],
    ['a scope of nothing', { scope: {} }, 'scope', 'must name environments or tags; the default policy has no scope'],
    [
      'an environment that is not there',
      { scope: { environmentKeys: ['test', 'nowhere'] } },
      'scope.environmentKeys.1',
      'must be the key of an environment of the project',
    ],
    [
      'the configuration of another method',
      { releaseMethod: 'progressive-release', guardedReleaseConfig: {} },
      'guardedReleaseConfig',
      'must be left out, except where the release method is guarded-release',
    ],
    [
      'a configuration of what has none',
      { progressiveReleaseConfig: {} },
      'progressiveReleaseConfig',
      'must be left out, except where the release method is progressive-release',
    ],
    [
      'more than all contexts',
      {
        releaseMethod: 'progressive-release',
        progressiveReleaseConfig: { stages: [{ allocation: 100_001, durationMillis: 1 }] },
      },
      'progressiveReleaseConfig.stages.0.allocation',
      'must be at most 100000',
    ],
    [
      'a time before now',
      {
        releaseMethod: 'progressive-release',
        progressiveReleaseConfig: { stages: [{ allocation: 1, durationMillis: -1 }] },
      },
      'progressiveReleaseConfig.stages.0.durationMillis',
      'must not be negative',
    ],
    ['a member that nobody knows', { rank: 1 }, 'rank', 'is not a known member'],
  ])('refuses %s', async (_, more, attribute, reason) => {
    const { addPolicy, listPolicies } = await releaseProject()
    expect(await faultOf(addPolicy('a', more))).toEqual({ attribute, reason })
    expect((await listPolicies()).totalCount).toBe(0)
  })

  it('makes one default, also of two at once', async () => {
    const { addPolicy } = await releaseProject()
    const both = await Promise.allSettled([addPolicy('a'), addPolicy('b')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await faultOf(addPolicy('c'))).toMatchObject({
      attribute: 'scope',
      reason: expect.stringMatching(/^must be present: [ab] is the default policy of the project$/),
    })
  })

  it('is 409 for a key that is taken, 404 in a project that is not there', async () => {
    const { addPolicy, api, as } = await releaseProject()
    await addPolicy('a', inProduction)
    expect(await failureOf(addPolicy('a', inProduction))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a release policy a already',
    })
    const body = { key: 'a', name: 'A', releaseMethod: 'immediate-release' } as const
    expect(await failureOf(api.createReleasePolicy({ projectKey: 'gone', body }, { as }))).toMatchObject({
      code: 'not_found',
    })
  })

  it('makes at most 100 in a project', async () => {
    const { addPolicy } = await releaseProject()
    for (let i = 0; i < 100; i++) await addPolicy(`p${i}`, inProduction)
    expect(await failureOf(addPolicy('one-more', inProduction))).toMatchObject({
      message: 'A project has at most 100 release policies',
    })
  })
})
