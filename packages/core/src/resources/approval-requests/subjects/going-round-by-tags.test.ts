import { describe, expect, it } from 'vitest'
import { failureOf, flagId, turnOn } from '../test/approval-project.ts'
import { guarded, on, refusal, replace } from '../test/guarded-project.ts'

describe('where flags with a tag need approval', () => {
  it('others do not', async () => {
    const { guard, create, instruct } = await guarded('pay')
    await create('f')
    await create('g', { tags: ['pay', 'x'] })
    await guard()
    await instruct('f', [turnOn])
    expect(await failureOf(instruct('g', [turnOn]))).toEqual(refusal)
  })

  it('the tag cannot be dropped, with the change or before it', async () => {
    const { guard, create, instruct, patch, get } = await guarded('pay')
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

  it('the flag cannot be deleted and made again without it', async () => {
    const { guard, create, api, as, keysOf } = await guarded('pay')
    await create('f', { tags: ['pay'] })
    await guard()
    expect(await failureOf(api.deleteFlag(keysOf('f'), { as }))).toEqual(refusal)
  })

  it('a tag that comes with a change does not stop it, and stops the next one', async () => {
    const { guard, create, instruct } = await guarded('pay')
    await create('f')
    await guard()
    await instruct('f', [{ kind: 'addTags', values: ['pay'] }, turnOn])
    expect(await failureOf(instruct('f', [{ kind: 'turnFlagOff' }]))).toEqual(refusal)
  })

  it('the flags that they wait for need it too, however far away', async () => {
    const { guard, create, instruct, patch } = await guarded('pay')
    const chain = ['base', 'middle', 'top']
    for (const key of chain) await create(key, { tags: key === 'top' ? ['pay'] : [] })
    const wait = async (flagKey: string, key: string) => {
      const [variation] = (await create(`${key}-copy`)).variations
      expect(variation).toBeDefined()
      const [first] = (await patch(key, [])).variations
      await instruct(flagKey, [{ kind: 'addPrerequisite', key, variationId: first?._id }])
    }
    await wait('top', 'middle')
    await wait('middle', 'base')
    await guard()
    for (const key of ['base', 'middle']) {
      expect(await failureOf(instruct(key, [turnOn]))).toEqual(refusal)
      expect(await failureOf(patch(key, [replace('/clientSideAvailability/usingMobileKey', false)]))).toEqual(refusal)
    }
    await instruct('base', [turnOn], { environmentKey: 'test' })
    await instruct('base-copy', [turnOn])
  })

  it('a flag that begins to be waited for while it changes is changed before that, or not at all', async () => {
    const { guard, create, instruct, change, get } = await guarded('pay')
    const [first] = (await create('base')).variations
    await create('top', { tags: ['pay'] })
    await guard()
    const [changing] = await Promise.allSettled([
      instruct('base', [turnOn]),
      change(flagId('top'), [{ kind: 'addPrerequisite', key: 'base', variationId: first?._id }]),
    ])
    const waited = (await get('top')).environments?.production?.prerequisites?.length
    expect([changing.status, waited]).not.toEqual(['rejected', 0])
    if (waited) expect(await failureOf(instruct('base', [{ kind: 'turnFlagOff' }]))).toEqual(refusal)
  })
})
