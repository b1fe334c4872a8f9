import { describe, expect, it } from 'vitest'
import { editor, failureOf, validationErrorOf } from '../flags/test/flag-project.ts'
import { audience, releaseProject } from '../release-pipelines/test/release-project.ts'
import { shopProject } from './test/shop-project.ts'

const flagResource = 'proj/web:env/*:flag/checkout'

describe('putRelease', () => {
  it('does not change the flag', async () => {
    const { release, get } = await shopProject()
    const before = await get('checkout')
    await release('checkout', 'usual')
    expect(await get('checkout')).toEqual(before)
  })

  it('serves the requested variation', async () => {
    const { release, get, advance } = await shopProject()
    const off = (await get('checkout')).variations.find(({ value }) => value === false)?._id as string
    expect((await release('checkout', 'usual', { releaseVariationId: off })).releaseVariationId).toBe(off)
    await advance('checkout', 0, 'Started')
    expect((await get('checkout')).environments?.test).toMatchObject({ on: true, fallthrough: { variation: 1 } })
  })

  it('does not restart a running release', async () => {
    const { release, advance, getRelease } = await shopProject()
    await release('checkout', 'usual')
    await advance('checkout', 0, 'Started')
    const before = await getRelease('checkout')
    expect(await release('checkout', 'usual')).toEqual(before)
  })

  it('replaces the pipeline of a release, and restarts a completed release', async () => {
    const { release, advance } = await shopProject()
    await release('checkout', 'usual')
    await advance('checkout', 0, 'Started')
    const replaced = await release('checkout', 'other')
    expect(replaced).toMatchObject({ releasePipelineKey: 'other', _version: 3 })
    expect(replaced.phases.map(({ status }) => status)).toEqual(['ReadyToStart', 'NotStarted'])
    for (const phase of [0, 1]) for (const status of ['Started', 'Complete']) await advance('checkout', phase, status)
    const again = await release('checkout', 'other')
    expect(again.phases.map(({ status, started }) => [status, started])).toEqual([
      ['ReadyToStart', false],
      ['NotStarted', false],
    ])
  })

  it('requires one action to add a pipeline, and another to replace it', async () => {
    const { release } = await shopProject()
    const [callerWhoAdds, callerWhoReplaces] = ['addReleasePipeline', 'replaceReleasePipeline'].map((action) =>
      editor([action], flagResource),
    )
    expect(await failureOf(release('checkout', 'usual', {}, callerWhoReplaces))).toMatchObject({ code: 'forbidden' })
    await release('checkout', 'usual', {}, callerWhoAdds)
    expect(await failureOf(release('checkout', 'other', {}, callerWhoAdds))).toMatchObject({ code: 'forbidden' })
    expect((await release('checkout', 'other', {}, callerWhoReplaces)).releasePipelineKey).toBe('other')
  })

  it('may require the action only for certain tags of the flag', async () => {
    const { create, release, addPipeline } = await releaseProject()
    await addPipeline('usual')
    await create('checkout', { tags: ['pay'] })
    await create('banner')
    const callerForTag = editor(['addReleasePipeline'], 'proj/*:env/*:flag/*;pay')
    expect(await failureOf(release('banner', 'usual', {}, callerForTag))).toMatchObject({ code: 'forbidden' })
    expect((await release('checkout', 'usual', {}, callerForTag))._version).toBe(1)
  })

  it('requires a boolean flag, and reports all validation errors', async () => {
    const { create, release, instruct } = await shopProject()
    await create('price', { variations: [{ value: 1 }, { value: 2 }] })
    expect((await failureOf(release('price', 'gone'))).errors).toEqual([
      { attribute: 'flagKey', reason: 'must be the key of a boolean flag' },
      { attribute: 'releaseVariationId', reason: 'must be the _id of a variation of the flag' },
      { attribute: 'releasePipelineKey', reason: 'must be the key of a release pipeline of the project' },
    ])
    await instruct('checkout', [{ kind: 'archiveFlag' }])
    expect(await validationErrorOf(release('checkout', 'usual'))).toEqual({
      attribute: 'flagKey',
      reason: 'must not be the key of an archived flag',
    })
  })

  it('responds with 404 for an unknown flag, as getRelease and deleteRelease do for a flag without a release', async () => {
    const { release, getRelease, api, ofFlag, as } = await shopProject()
    expect(await failureOf(release('gone', 'usual'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(getRelease('checkout'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(api.deleteRelease(ofFlag('checkout'), { as }))).toMatchObject({ code: 'not_found' })
  })

  it('succeeds once when two calls run concurrently', async () => {
    const { release } = await shopProject()
    const outcomes = await Promise.allSettled([release('checkout', 'usual'), release('checkout', 'other')])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('creates change log entries with the required actions', async () => {
    const { release, api, as, pass } = await shopProject()
    pass(1)
    await release('checkout', 'usual')
    pass(1)
    await release('checkout', 'other')
    const { items } = await api.listChangeLog({ limit: 2 }, { as })
    expect(items.map(({ kind, titleVerb, accesses: [first] }) => [kind, titleVerb, first?.action])).toEqual([
      ['release', 'restarted the release of checkout with the pipeline other', 'replaceReleasePipeline'],
      ['release', 'started the release of checkout with the pipeline Usual', 'addReleasePipeline'],
    ])
  })
})

describe('a pipeline with releases', () => {
  it('accepts only changes of its names', async () => {
    const { release, putPipeline, patchPipeline, getPipeline } = await shopProject()
    await release('checkout', 'usual')
    const error = { attribute: 'phases', reason: 'must not change except for names, because they have releases' }
    expect(await validationErrorOf(putPipeline('usual', { phases: [{ name: 'One', audiences: [] }] }))).toEqual(error)
    expect(await validationErrorOf(patchPipeline('usual', [{ op: 'remove', path: '/phases/1' }]))).toEqual(error)
    const phases = [
      { name: 'Staff', audiences: [audience('test')] },
      { name: 'All', audiences: [audience('production')] },
    ]
    await putPipeline('usual', { name: 'Other', description: 'Other', tags: ['other'], phases })
    expect(await getPipeline('usual')).toMatchObject({
      name: 'Other',
      tags: ['other'],
      phases: [{ name: 'Staff' }, {}],
    })
  })

  it('can be changed again after its releases were deleted', async () => {
    const { release, putPipeline, api, ofFlag, as } = await shopProject()
    await release('checkout', 'usual')
    await api.deleteRelease(ofFlag('checkout'), { as })
    expect((await putPipeline('usual', { phases: [{ name: 'One', audiences: [] }] })).phases).toHaveLength(1)
  })

  it('cannot be deleted while a release is active', async () => {
    const { release, deletePipeline, advance } = await shopProject()
    await release('checkout', 'other')
    expect(await failureOf(deletePipeline('other'))).toEqual({
      code: 'optimistic_locking_error',
      message:
        'The release pipeline other is referred to by release checkout. To remove these references with it, set detach=true.',
      referrers: [{ kind: 'release', key: 'checkout', resource: 'proj/web:env/*:flag/checkout' }],
    })
    for (const phase of [0, 1]) for (const status of ['Started', 'Complete']) await advance('checkout', phase, status)
    await deletePipeline('other')
  })

  it('is still named in completed releases after its deletion, also when another pipeline gets its key', async () => {
    const { release, deletePipeline, addPipeline, advance, getRelease, putPipeline } = await shopProject()
    await release('checkout', 'other')
    for (const phase of [0, 1]) for (const status of ['Started', 'Complete']) await advance('checkout', phase, status)
    await deletePipeline('other')
    expect(await getRelease('checkout')).toMatchObject({ name: 'other', releasePipelineKey: 'other' })
    await addPipeline('other', { name: 'Successor' })
    expect((await getRelease('checkout')).name).toBe('other')
    expect((await putPipeline('other', { phases: [{ name: 'One', audiences: [] }] })).phases).toHaveLength(1)
  })

  it('is neither deleted nor changed while a release starts', async () => {
    for (const change of ['delete', 'rebuild']) {
      const { release, deletePipeline, putPipeline, getRelease, getPipeline } = await shopProject()
      const releaseCall = release('checkout', 'other')
      const phases = [{ name: 'One', audiences: [] }]
      const pipelineCall = change === 'delete' ? deletePipeline('other') : putPipeline('other', { phases })
      const [action, pipelineOutcome] = await Promise.allSettled([releaseCall, pipelineCall])
      const outcomes = [action.status, pipelineOutcome.status].sort()
      // When the pipeline is rebuilt first, the release gets the new phases, so both calls can succeed.
      if (change === 'delete') expect(outcomes).toEqual(['fulfilled', 'rejected'])
      else expect(outcomes).toContain('fulfilled')
      if (action.status === 'fulfilled') {
        const pipelinePhaseIds = (await getPipeline('other')).phases.map(({ id }) => id)
        expect((await getRelease('checkout')).phases.map(({ _id }) => _id)).toEqual(pipelinePhaseIds)
      }
    }
  })
})
