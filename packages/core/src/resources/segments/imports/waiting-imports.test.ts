import { describe, expect, it } from 'vitest'
import { bigAccount, linesOf } from '../test/import-account.ts'
import { editor, failureOf, keyList, keysOf } from '../test/segment-account.ts'

describe('a waiting import', () => {
  const waiting = { waitOnApprovals: true }

  it('adds its keys when an instruction processes it', async () => {
    const { api, as, upload, keys, instruct, staged, metadata } = await bigAccount()
    for (const [mode, file, expected] of [
      ['merge', linesOf(keyList(10_500)), 10_500],
      ['replace', 'z\n', 1],
    ] as const) {
      const created = await upload(file, { ...waiting, mode })
      expect(created).toMatchObject({ status: 'pending_approval', files: [{ status: 'pending_approval' }] })
      const before = await keys()
      expect(await staged(created.id)).toBe(created.keyCount)
      expect(before).not.toHaveLength(expected)
      await instruct('big', [{ kind: 'processBigSegmentImport', importId: created.id }])
      expect(await keys()).toHaveLength(expected)
      expect(await metadata()).toMatchObject({ includedCount: expected })
      const after = await api.getBigSegmentImport({ ...keysOf('big'), importId: created.id }, { as })
      expect(after).toEqual({ ...created, status: 'complete', files: [{ filename: 'keys.csv', status: 'complete' }] })
      expect(await staged(created.id)).toBe(0)
    }
  })

  it('does not block other imports, and is stopped by the next waiting import', async () => {
    const { api, as, upload, keys, instruct, staged } = await bigAccount()
    const first = await upload('a\n', waiting)
    await upload('b\n')
    const second = await upload('c\n', waiting)
    const { status } = await api.getBigSegmentImport({ ...keysOf('big'), importId: first.id }, { as })
    expect(status).toBe('stopped')
    expect(await staged(first.id)).toBe(0)
    const failure = await failureOf(instruct('big', [{ kind: 'processBigSegmentImport', importId: first.id }]))
    expect(failure.errors).toEqual([
      { attribute: 'instructions.0.importId', reason: 'must be the id of a waiting import of the segment' },
    ])
    await instruct('big', [{ kind: 'processBigSegmentImport', importId: second.id }])
    expect(await keys()).toEqual(['b', 'c'])
  })

  it('can be processed again without an effect', async () => {
    const { upload, keys, instruct } = await bigAccount()
    const { id } = await upload('a\n', waiting)
    const instructions = [{ kind: 'processBigSegmentImport', importId: id }]
    const { version } = await instruct('big', instructions)
    await instruct('big', instructions)
    expect((await instruct('big', instructions)).version).toBe(version)
    expect(await keys()).toEqual(['a'])
  })

  it('cannot be processed together with other changes of keys, but with other changes of the segment', async () => {
    const { upload, instruct, get } = await bigAccount()
    const { id } = await upload('a\n', waiting)
    const instructions = { kind: 'processBigSegmentImport', importId: id }
    const others = [instructions, { kind: 'addBigSegmentIncludedTargets', values: ['b'] }]
    for (const other of others) {
      const { errors } = await failureOf(instruct('big', [instructions, other]))
      expect(errors?.map(({ attribute }) => attribute)).toEqual(['instructions.0.importId'])
    }
    expect(await instruct('big', [{ kind: 'updateName', value: 'New' }, instructions])).toMatchObject({ name: 'New' })
    expect(await get('big')).toMatchObject({ _unboundedMetadata: { includedCount: 1 } })
  })

  it('requires the right to the included keys when it is processed', async () => {
    const { upload, instruct, keys } = await bigAccount()
    const { id } = await upload('a\n', waiting)
    const instructions = [{ kind: 'processBigSegmentImport', importId: id }]
    expect(await failureOf(instruct('big', instructions, editor('updateExcluded')))).toMatchObject({
      code: 'forbidden',
    })
    await instruct('big', instructions, editor('updateIncluded'))
    expect(await keys()).toEqual(['a'])
  })

  it('is rejected when one of its keys has been excluded', async () => {
    const { upload, exclude, instruct } = await bigAccount()
    const { id } = await upload('a\n', waiting)
    await exclude('a')
    const failure = await failureOf(instruct('big', [{ kind: 'processBigSegmentImport', importId: id }]))
    expect(failure.errors).toEqual([
      { attribute: 'instructions.0.importId', reason: 'must not contain a key that is also excluded' },
    ])
  })

  it('can be processed for its own segment only', async () => {
    const { api, as, create, upload, instruct } = await bigAccount()
    await create('other', { unbounded: true })
    const { id } = await upload('a\n', waiting)
    expect(await failureOf(instruct('other', [{ kind: 'processBigSegmentImport', importId: id }]))).toMatchObject({
      code: 'invalid_request',
    })
    const elsewhere = { ...keysOf('other'), importId: id }
    expect(await failureOf(api.getBigSegmentImport(elsewhere, { as }))).toMatchObject({ code: 'not_found' })
  })

  it('is deleted with its segment', async () => {
    const { api, as, create, upload, staged, instruct } = await bigAccount()
    const { id } = await upload('a\n', waiting)
    await api.deleteSegment(keysOf('big'), { as })
    expect(await staged(id)).toBe(0)
    await create('big', { unbounded: true })
    expect(await failureOf(instruct('big', [{ kind: 'processBigSegmentImport', importId: id }]))).toMatchObject({
      code: 'invalid_request',
    })
  })
})
