import { describe, expect, it } from 'vitest'
import { failureOf, flagId, turnOn } from '../test/approval-project.ts'
import { on, protectedProject, refusal, replace } from '../test/protected-project.ts'

describe('an environment that requires approval for flags with a tag', () => {
  it('requires no approval for flags without the tag', async () => {
    const { guard, create, instruct } = await protectedProject('pay')
    await create('f')
    await create('g', { tags: ['pay', 'x'] })
    await guard()
    await instruct('f', [turnOn])
    expect(await failureOf(instruct('g', [turnOn]))).toEqual(refusal)
  })

  it('rejects the removal of the tag, both before a change and together with it', async () => {
    const { guard, create, instruct, patch, get } = await protectedProject('pay')
    await create('f', { tags: ['pay', 'x'] })
    await guard()
    const drop = { kind: 'removeTags', values: ['pay'] }
    expect(await failureOf(instruct('f', [drop, turnOn]))).toEqual(refusal)
    expect(await failureOf(instruct('f', [drop]))).toEqual(refusal)
    expect(await failureOf(patch('f', [replace('/tags', ['x']), on]))).toEqual(refusal)
    expect(await failureOf(patch('f', [replace('/tags', [])]))).toEqual(refusal)
    expect((await get('f')).tags).toEqual(['pay', 'x'])
    await instruct('f', [{ kind: 'removeTags', values: ['x'] }])
  })

  it('rejects the deletion of a flag with the tag', async () => {
    const { guard, create, api, as, keysOf } = await protectedProject('pay')
    await create('f', { tags: ['pay'] })
    await guard()
    expect(await failureOf(api.deleteFlag(keysOf('f'), { as }))).toEqual(refusal)
  })

  it('accepts a change that also adds the tag, and requires approval for the next change', async () => {
    const { guard, create, instruct } = await protectedProject('pay')
    await create('f')
    await guard()
    await instruct('f', [{ kind: 'addTags', values: ['pay'] }, turnOn])
    expect(await failureOf(instruct('f', [{ kind: 'turnFlagOff' }]))).toEqual(refusal)
  })

  it('requires approval for the direct and indirect prerequisites of flags with the tag', async () => {
    const { guard, create, instruct, patch } = await protectedProject('pay')
    const chain = ['base', 'middle', 'top']
    for (const key of chain) await create(key, { tags: key === 'top' ? ['pay'] : [] })
    const addPrerequisite = async (flagKey: string, key: string) => {
      const [variation] = (await create(`${key}-copy`)).variations
      expect(variation).toBeDefined()
      const [first] = (await patch(key, [])).variations
      await instruct(flagKey, [{ kind: 'addPrerequisite', key, variationId: first?._id }])
    }
    await addPrerequisite('top', 'middle')
    await addPrerequisite('middle', 'base')
    await guard()
    for (const key of ['base', 'middle']) {
      expect(await failureOf(instruct(key, [turnOn]))).toEqual(refusal)
      expect(await failureOf(patch(key, [replace('/clientSideAvailability/usingMobileKey', false)]))).toEqual(refusal)
    }
    await instruct('base', [turnOn], { environmentKey: 'test' })
    await instruct('base-copy', [turnOn])
  })

  it('accepts a change of a flag only before a concurrent change makes it a prerequisite of a protected flag', async () => {
    const { guard, create, instruct, change, get } = await protectedProject('pay')
    const [first] = (await create('base')).variations
    await create('top', { tags: ['pay'] })
    await guard()
    const [changing] = await Promise.allSettled([
      instruct('base', [turnOn]),
      change(flagId('top'), [{ kind: 'addPrerequisite', key: 'base', variationId: first?._id }]),
    ])
    const prerequisiteCount = (await get('top')).environments?.production?.prerequisites?.length
    expect([changing.status, prerequisiteCount]).not.toEqual(['rejected', 0])
    if (prerequisiteCount) expect(await failureOf(instruct('base', [{ kind: 'turnFlagOff' }]))).toEqual(refusal)
  })
})
