import { describe, expect, it } from 'vitest'
import { failureOf, validationErrorOf } from '../flags/test/flag-project.ts'
import { releaseProject } from '../release-pipelines/test/release-project.ts'
import { inProduction } from './test/policy-project.ts'

describe('createReleasePolicy', () => {
  it.each<[string, object, string, string]>([
    [
      'an unknown method',
      { releaseMethod: 'slow' },
      'releaseMethod',
      'must be one of "guarded-release", "immediate-release", "progressive-release"',
    ],
    ['no method', { releaseMethod: undefined }, 'releaseMethod', 'must be present'],
    ['no name', { name: undefined }, 'name', 'must be present'],
    ['a long name', { name: 'n'.repeat(257) }, 'name', 'must have at most 256 characters'],
    [
      'the reserved key order',
      { key: 'order' },
      'key',
      'must not be order, which is reserved for the path of the order of policies',
    ],
    ['an empty scope', { scope: {} }, 'scope', 'must contain environments or tags; the default policy has no scope'],
    [
      'an unknown environment',
      { scope: { environmentKeys: ['test', 'nowhere'] } },
      'scope.environmentKeys.1',
      'must be the key of an environment of the project',
    ],
    [
      'the configuration of another method',
      { releaseMethod: 'progressive-release', guardedReleaseConfig: {} },
      'guardedReleaseConfig',
      'must be left out, except when the release method is guarded-release',
    ],
    [
      'a configuration for a method without one',
      { progressiveReleaseConfig: {} },
      'progressiveReleaseConfig',
      'must be left out, except when the release method is progressive-release',
    ],
    [
      'a rollout weight above 100',
      {
        releaseMethod: 'progressive-release',
        progressiveReleaseConfig: { stages: [{ allocation: 100_001, durationMillis: 1 }] },
      },
      'progressiveReleaseConfig.stages.0.allocation',
      'must be at most 100000',
    ],
    [
      'a negative monitoring window',
      {
        releaseMethod: 'progressive-release',
        progressiveReleaseConfig: { stages: [{ allocation: 1, durationMillis: -1 }] },
      },
      'progressiveReleaseConfig.stages.0.durationMillis',
      'must not be negative',
    ],
    ['an unknown property', { rank: 1 }, 'rank', 'is not a known member'],
  ])('rejects %s', async (_, overrides, attribute, reason) => {
    const { addPolicy, listPolicies } = await releaseProject()
    expect(await validationErrorOf(addPolicy('a', overrides))).toEqual({ attribute, reason })
    expect((await listPolicies()).totalCount).toBe(0)
  })

  it('creates one default, also when two calls run concurrently', async () => {
    const { addPolicy } = await releaseProject()
    const outcomes = await Promise.allSettled([addPolicy('a'), addPolicy('b')])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await validationErrorOf(addPolicy('c'))).toMatchObject({
      attribute: 'scope',
      reason: expect.stringMatching(/^must be present: [ab] is the default policy of the project$/),
    })
  })

  it('responds with 409 when the key is taken, and 404 for an unknown project', async () => {
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

  it('creates at most 100 policies in a project', async () => {
    const { addPolicy } = await releaseProject()
    for (let i = 0; i < 100; i++) await addPolicy(`p${i}`, inProduction)
    expect(await failureOf(addPolicy('one-more', inProduction))).toMatchObject({
      message: 'A project can have at most 100 release policies',
    })
  })
})
