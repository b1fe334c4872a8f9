import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type AccountStorage, type Change, type CommitOutcome, storageUnavailable } from '../../../entries/storage.ts'
import { type ApiError, createEngine } from '../../../index.ts'
import { bigAccount, controlledFile, linesOf } from '../test/import-account.ts'
import { environmentKeys, failureOf, keyList, keysOf } from '../test/segment-account.ts'

const minute = 60_000

describe('a running import', () => {
  it('adds none of its keys before the end', async () => {
    const { api, as, upload, keys, metadata, isImporting, get } = await bigAccount()
    const { file, give, end } = controlledFile()
    const { version } = await get('big')
    const result = upload(file)
    await give(linesOf(keyList(10_000)))
    await give(linesOf(keyList(500, 'late')))
    expect(await keys()).toEqual([])
    expect(await metadata()).toMatchObject({ includedCount: 0 })
    expect((await get('big')).version).toBe(version)
    expect(await isImporting()).toBe(true)
    const listed = await api.listSegments(environmentKeys, { as })
    expect(listed.items.map((item) => item._importInProgress)).toEqual([true])
    end()
    await result
    expect(await keys()).toHaveLength(10_500)
    expect(await isImporting()).toBe(false)
  })

  it('blocks another import in the environment', async () => {
    const { create, upload, as, isImporting } = await bigAccount()
    await create('other', { unbounded: true })
    const { file, give, end } = controlledFile()
    const result = upload(file)
    await give(linesOf(keyList(10_000)))
    expect(await failureOf(upload('a\n', {}, as, 'other'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'Keys are being imported into the segment big',
    })
    expect(await isImporting('other')).toBe(false)
    end()
    await result
    expect(await upload('a\n', {}, as, 'other')).toMatchObject({ status: 'complete' })
  })

  it('makes one of two concurrent imports fail', async () => {
    const { upload, metadata } = await bigAccount()
    const files = [linesOf(keyList(20_000, 'a')), linesOf(keyList(20_000, 'b'))]
    const result = await Promise.allSettled(files.map((file) => upload(file)))
    expect(result.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [rejected] = result.flatMap((item) => (item.status === 'rejected' ? [item.reason as ApiError] : []))
    expect(rejected?.code).toBe('optimistic_locking_error')
    expect(await metadata()).toMatchObject({ includedCount: 20_000 })
  })

  it('does not block an import in another environment', async () => {
    const { api, as, upload } = await bigAccount()
    const testKeys = { projectKey: 'web', environmentKey: 'test' }
    await api.createSegment({ ...testKeys, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
    const { file, give, end } = controlledFile()
    const result = upload(file)
    await give(linesOf(keyList(10_000)))
    const created = await api.createBigSegmentImport({ ...testKeys, segmentKey: 'big', body: { file: 'a\n' } }, { as })
    expect(created.status).toBe('complete')
    end()
    await result
  })

  it('allows changes of the segment and keeps the count exact', async () => {
    const { api, as, upload, patch, metadata, keys } = await bigAccount()
    const { file, give, end } = controlledFile()
    const result = upload(file)
    await give(linesOf(keyList(10_000)))
    await patch('big', [{ op: 'replace', path: '/name', value: 'Renamed' }])
    await api.updateBigSegmentTargets({ ...keysOf('big'), body: { included: { add: ['user-1', 'new'] } } }, { as })
    end()
    await result
    expect(await keys()).toHaveLength(10_001)
    expect(await metadata()).toMatchObject({ includedCount: 10_001 })
  })

  it('leaves nothing behind when the caller disconnects', async () => {
    const { upload, keys, isImporting, idOfImport, staged } = await bigAccount()
    const { file, give, end } = controlledFile()
    const result = failureOf(upload(file))
    await give(linesOf(keyList(10_000)))
    const importId = await idOfImport()
    expect(await staged(importId)).toBe(10_000)
    end(new Error('gone'))
    expect(await result).toEqual({ code: 'invalid_request', message: 'The request body is incomplete' })
    expect(await staged(importId)).toBe(0)
    expect(await keys()).toEqual([])
    expect(await isImporting()).toBe(false)
    expect(await upload('a\n')).toMatchObject({ status: 'complete' })
  })

  it('fails when the segment is deleted, also when another segment gets its key', async () => {
    const { api, as, create, upload, keys, staged, idOfImport, isImporting } = await bigAccount()
    const { file, give, end } = controlledFile()
    const result = failureOf(upload(file))
    await give(linesOf(keyList(10_000)))
    const importId = await idOfImport()
    await api.deleteSegment(keysOf('big'), { as })
    await create('big', { unbounded: true })
    expect(await isImporting()).toBe(false)
    await give(linesOf(keyList(10, 'late')))
    end()
    expect(await result).toMatchObject({ code: 'optimistic_locking_error' })
    expect(await staged(importId)).toBe(0)
    expect(await keys()).toEqual([])
  })

  it('fails when the environment is deleted', async () => {
    const { api, as, upload, staged, idOfImport } = await bigAccount()
    const { file, give, end } = controlledFile()
    const result = failureOf(upload(file))
    await give(linesOf(keyList(10_000)))
    const importId = await idOfImport()
    await api.deleteEnvironment(environmentKeys, { as })
    end()
    expect((await result).code).toMatch(/not_found|optimistic_locking_error/)
    expect(await staged(importId)).toBe(0)
  })

  it('loses its lock to another import after ten minutes without progress', async () => {
    const { upload, keys, pass, staged, idOfImport, isImporting } = await bigAccount()
    const slowFile = controlledFile()
    const result = failureOf(upload(slowFile.file))
    await slowFile.give(linesOf(keyList(10_000)))
    const importId = await idOfImport()
    pass(10 * minute - 1)
    expect(await failureOf(upload('a\n'))).toMatchObject({ code: 'optimistic_locking_error' })
    pass(1)
    expect(await isImporting()).toBe(false)
    await upload(linesOf(keyList(10_001, 'b')))
    expect(await staged(importId)).toBe(0)
    await slowFile.give('late\n')
    slowFile.end()
    expect(await result).toMatchObject({
      code: 'optimistic_locking_error',
      message: 'Another call has taken over or ended this import',
    })
    expect(await staged(importId)).toBe(0)
    expect(await keys()).toHaveLength(10_001)
  })
})

describe('an import that the storage does not complete', () => {
  /** Creates another engine whose storage lets the test determine the outcome of each commit. */
  async function engineOverStorage(outcomeOf: (batch: readonly Change[]) => CommitOutcome | undefined) {
    const storage = createMemoryStorage()
    const account = storage.account('default')
    const commit: AccountStorage['commit'] = async (batch) => outcomeOf(batch) ?? account.commit(batch)
    const engine = createEngine({ storage: { ...storage, account: () => ({ ...account, commit }) } })
    const as = (await engine.bootstrap())?.token as string
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    await engine.api.createSegment({ ...environmentKeys, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
    const rows = async () => {
      const scopes = ['proj/web:env/production', 'proj/web:env/production:segment/big']
      const query = { deep: true, limit: 10, select: 'fields', scope: scopes[0] as string } as const
      const documents = ['segment-import', 'segment-import-turn'].map((collection) =>
        account.list({ ...query, collection }),
      )
      return (await Promise.all(documents)).flatMap(({ items }) => items)
    }
    const upload = (file: string | AsyncIterable<string>) =>
      engine.api.createBigSegmentImport({ ...keysOf('big'), body: { file, mode: 'replace' } }, { as })
    return { upload, rows, get: () => engine.api.getSegment(keysOf('big'), { as }) }
  }

  async function* file() {
    for (const piece of ['a', 'b', 'c']) yield linesOf(keyList(piece === 'c' ? 5_000 : 10_000, piece))
  }
  const isLast = (batch: readonly Change[]) => batch.some((change) => change.do === 'move-keys')

  it('leaves nothing behind after a conflict', async () => {
    let conflicts = 1
    const { upload, rows, get } = await engineOverStorage((batch) =>
      isLast(batch) && conflicts-- > 0 ? { outcome: 'conflict', change: 0 } : undefined,
    )
    expect(await failureOf(upload(file()))).toMatchObject({ code: 'optimistic_locking_error' })
    expect(await rows()).toEqual([])
    expect(await get()).toMatchObject({ version: 1, _importInProgress: false })
    expect(await upload(file())).toMatchObject({ keyCount: 25_000 })
    expect(await get()).toMatchObject({ _unboundedMetadata: { includedCount: 25_000 } })
  })

  it.each([1, 2, 3, 4])('leaves nothing behind when the storage is unavailable: commit %i', async (failingCommit) => {
    let commits = -Infinity
    const { upload, rows, get } = await engineOverStorage(() => {
      commits++
      if (commits === failingCommit) throw storageUnavailable('for a moment')
      return undefined
    })
    commits = 0
    expect(await failureOf(upload(file()))).toMatchObject({ code: 'service_unavailable' })
    expect(await rows()).toEqual([])
    expect(await get()).toMatchObject({ version: 1, _importInProgress: false })
    expect(await upload(file())).toMatchObject({ keyCount: 25_000 })
  })

  it('is cleaned up later when the storage stays unavailable', async () => {
    let reachable = true
    const { upload, rows, get } = await engineOverStorage((batch) => {
      if (isLast(batch)) reachable = false
      if (!reachable) throw storageUnavailable('for good')
      return undefined
    })
    expect(await failureOf(upload(file()))).toMatchObject({ code: 'service_unavailable' })
    expect(await rows()).toHaveLength(1)
    reachable = true
    expect(await get()).toMatchObject({ version: 1, _unboundedMetadata: { includedCount: 0 } })
    expect(await failureOf(upload('a\n'))).toMatchObject({ code: 'optimistic_locking_error' })
  })
})
