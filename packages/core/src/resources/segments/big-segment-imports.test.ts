import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import {
  type AccountStorage,
  type ApiError,
  type As,
  type Change,
  type CommitOutcome,
  createEngine,
  storageUnavailable,
} from '../../index.ts'
import { editor, failureOf, keyList, keysOf, place, segmentAccount, start } from './test/segment-account.ts'

const minute = 60_000
const linesOf = (keys: readonly string[]) => keys.map((key) => `${key}\n`).join('')

/** A file whose pieces a test hands out one by one. */
function dripping() {
  const waiting: string[] = []
  let wake = () => {}
  let asked = () => {}
  let over: unknown
  async function* pieces(): AsyncGenerator<string> {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift() as string
      if (over === true) return
      if (over) throw over
      asked()
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return {
    file: pieces(),
    /** Hands out a piece, and resolves once the next one is asked for. */
    give: (piece: string) => {
      waiting.push(piece)
      const taken = new Promise<void>((resolve) => (asked = resolve))
      wake()
      return taken
    },
    end: (how: unknown = true) => {
      over = how
      wake()
    },
  }
}

async function bigAccount(more: object = {}) {
  const account = await segmentAccount()
  await account.create('big', { unbounded: true, ...more })
  const { api, as, storage } = account
  const set = (name: string, scope = 'proj/web:env/production:segment/big') => ({ name, scope })
  return {
    ...account,
    upload: (file: string | AsyncIterable<string>, fields: object = {}, by: As = as, segmentKey = 'big') =>
      api.createBigSegmentImport({ ...keysOf(segmentKey), body: { file, ...fields } }, { as: by }),
    keys: () => storage.pageMembers(set('included'), { limit: 100_000 }),
    exclude: (...keys: string[]) =>
      api.updateBigSegmentTargets({ ...keysOf('big'), body: { excluded: { add: keys } } }, { as }),
    metadata: async (key = 'big') => (await account.get(key))._unboundedMetadata,
    isImporting: async (key = 'big') => (await account.get(key))._importInProgress,
    /** How many staged keys an import has left behind. */
    staged: (importId: string, segmentKey = 'big') =>
      storage.countMembers(set('staged', `proj/web:env/production:segment/${segmentKey}:import/${importId}`)),
    idOfImport: async () => (await turn(account))?.importId as string,
  }
}

async function turn({ storage }: Awaited<ReturnType<typeof segmentAccount>>) {
  const scope = 'proj/web:env/production'
  const found = await storage.get({ collection: 'segment-import-turn', scope, key: 'only' })
  return found?.body as { importId: string } | undefined
}

describe('an import into a big segment', () => {
  it('adds the keys of a file to those there are', async () => {
    const { api, as, upload, keys, metadata, pass } = await bigAccount()
    await upload('a\nb\n')
    pass(1_000)
    const made = await upload('b\nc\nb\n', { filename: 'beta users.csv' })
    expect(made).toEqual({
      id: made.id,
      segmentKey: 'big',
      creationTime: String(start + 1_000),
      mode: 'merge',
      status: 'complete',
      files: [{ filename: 'beta users.csv', status: 'complete' }],
      keyCount: 2,
      _links: {
        self: { href: `/api/v2/segments/web/production/big/imports/${made.id}`, type: 'application/json' },
        parent: { href: '/api/v2/segments/web/production/big', type: 'application/json' },
      },
    })
    expect(await api.getBigSegmentImport({ ...keysOf('big'), importId: made.id }, { as })).toEqual(made)
    expect(await keys()).toEqual(['a', 'b', 'c'])
    expect(await metadata()).toMatchObject({ includedCount: 3, version: 3, lastModified: start + 1_000 })
  })

  it('puts the keys of a file in the place of those there are', async () => {
    const { upload, keys, metadata } = await bigAccount()
    await upload('a\nb\n')
    expect(await upload('b\nc\nd\n', { mode: 'replace' })).toMatchObject({ mode: 'replace', keyCount: 3 })
    expect(await keys()).toEqual(['b', 'c', 'd'])
    expect(await metadata()).toMatchObject({ includedCount: 3 })
    await upload('key\n', { mode: 'replace' })
    expect(await keys()).toEqual([])
    expect(await metadata()).toMatchObject({ includedCount: 0 })
  })

  it.each(['merge', 'replace'])('changes nothing where the keys are those there are: %s', async (mode) => {
    const { upload, get, metadata } = await bigAccount()
    await upload('a\nb\n')
    const { version } = await get('big')
    await upload('b\na\n', { mode })
    expect((await get('big')).version).toBe(version)
    expect(await metadata()).toMatchObject({ includedCount: 2, version: 2 })
  })

  it.each(['merge', 'replace'])('takes files of many commits, and counts exactly: %s', async (mode) => {
    const { upload, keys, metadata, staged } = await bigAccount()
    await upload(linesOf(keyList(12_000)))
    const more = [...keyList(9_000), ...keyList(25_000, 'other'), ...keyList(500, 'other')]
    const { id, keyCount } = await upload(linesOf(more), { mode })
    expect(keyCount).toBe(34_000)
    const count = mode === 'merge' ? 37_000 : 34_000
    expect(await keys()).toHaveLength(count)
    expect(await metadata()).toMatchObject({ includedCount: count })
    expect(await staged(id)).toBe(0)
  })

  it('shows in the log as a change of the segment', async () => {
    const { api, as, upload } = await bigAccount()
    await upload('a\n')
    const [entry] = (await api.listChangeLog({}, { as })).items
    expect(entry).toMatchObject({ kind: 'segment', name: 'big' })
    expect(JSON.stringify(entry)).toContain('updateIncluded')
  })

  it('takes contexts of the one kind that the segment has', async () => {
    const { upload, metadata } = await bigAccount({ unboundedContextKind: 'org' })
    await upload('acme\n')
    expect(await metadata()).toMatchObject({ includedCount: 1 })
  })

  it.each([
    ['a standard segment', 'beta', 'invalid_request'],
    ['a segment that is not there', 'none', 'not_found'],
  ])('is refused for %s', async (_, segmentKey, code) => {
    const { create, upload, as } = await bigAccount()
    await create('beta')
    expect(await failureOf(upload('a\n', {}, as, segmentKey))).toMatchObject({ code })
  })

  it('refuses a key that is excluded, and stores none of the others', async () => {
    const { upload, exclude, keys, idOfImport } = await bigAccount()
    await exclude('b')
    for (const file of ['a\nb\n', linesOf([...keyList(20_000), 'b'])]) {
      expect(await failureOf(upload(file))).toEqual({
        code: 'invalid_request',
        message: 'validation failed',
        errors: [{ attribute: 'file', reason: 'must not hold a key that is excluded too' }],
      })
    }
    expect(await keys()).toEqual([])
    expect(await idOfImport()).toBeUndefined()
    await upload('a\n')
    expect(await keys()).toEqual(['a'])
  })

  it('names every line that is no key', async () => {
    const { upload, keys } = await bigAccount()
    const failure = await failureOf(upload(`a\n"b\n${'c'.repeat(257)}\nd,e\n\n"f"\n`))
    expect(failure.errors?.map(({ attribute }) => attribute)).toEqual(['file.2', 'file.3', 'file.4'])
    expect(await keys()).toEqual([])
  })

  it('refuses more than a million keys', async () => {
    const { upload, metadata, idOfImport } = await bigAccount()
    async function* file() {
      for (let piece = 0; piece <= 100; piece++) yield `${'a\n'.repeat(9_999)}${piece}\n`
    }
    const failure = await failureOf(upload(file()))
    expect(failure.errors).toEqual([{ attribute: 'file', reason: 'must hold at most 1000000 keys' }])
    expect(await metadata()).toMatchObject({ includedCount: 0 })
    expect(await idOfImport()).toBeUndefined()
  })

  it.each([
    ['file', {}],
    ['file', { file: 7 }],
    ['mode', { file: 'a\n', mode: 'append' }],
    ['waitOnApprovals', { file: 'a\n', waitOnApprovals: 'perhaps' }],
    ['filename', { file: 'a\n', filename: 7 }],
  ])('refuses fields that are no such thing: %s in %j', async (attribute, body) => {
    const { api, as } = await bigAccount()
    const failure = await failureOf(api.createBigSegmentImport({ ...keysOf('big'), body: body as never }, { as }))
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute }] })
  })

  it('refuses a file without a byte', async () => {
    const { upload } = await bigAccount()
    expect(await failureOf(upload(''))).toEqual({
      code: 'invalid_request',
      message: 'A request body must be present',
    })
  })

  it('needs the right to the included keys, whatever else one may do', async () => {
    const { upload, keys } = await bigAccount()
    const others = editor('updateExcluded', 'updateRules', 'updateName')
    expect(await failureOf(upload('a\n', {}, others))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(upload(dripping().file, {}, others))).toMatchObject({ code: 'forbidden' })
    await upload('a\n', {}, editor('updateIncluded'))
    expect(await keys()).toEqual(['a'])
  })
})

describe('while keys come', () => {
  it('none of them counts', async () => {
    const { api, as, upload, keys, metadata, isImporting, get } = await bigAccount()
    const { file, give, end } = dripping()
    const { version } = await get('big')
    const done = upload(file)
    await give(linesOf(keyList(10_000)))
    await give(linesOf(keyList(500, 'late')))
    expect(await keys()).toEqual([])
    expect(await metadata()).toMatchObject({ includedCount: 0 })
    expect((await get('big')).version).toBe(version)
    expect(await isImporting()).toBe(true)
    const listed = await api.listSegments(place, { as })
    expect(listed.items.map((one) => one._importInProgress)).toEqual([true])
    end()
    await done
    expect(await keys()).toHaveLength(10_500)
    expect(await isImporting()).toBe(false)
  })

  it('another import of the environment is refused', async () => {
    const { create, upload, as, isImporting } = await bigAccount()
    await create('other', { unbounded: true })
    const { file, give, end } = dripping()
    const done = upload(file)
    await give(linesOf(keyList(10_000)))
    expect(await failureOf(upload('a\n', {}, as, 'other'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'Keys are being imported into the segment big',
    })
    expect(await isImporting('other')).toBe(false)
    end()
    await done
    expect(await upload('a\n', {}, as, 'other')).toMatchObject({ status: 'complete' })
  })

  it('of two that begin at the same time one is refused', async () => {
    const { upload, metadata } = await bigAccount()
    const files = [linesOf(keyList(20_000, 'a')), linesOf(keyList(20_000, 'b'))]
    const done = await Promise.allSettled(files.map((file) => upload(file)))
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [refused] = done.flatMap((one) => (one.status === 'rejected' ? [one.reason as ApiError] : []))
    expect(refused?.code).toBe('optimistic_locking_error')
    expect(await metadata()).toMatchObject({ includedCount: 20_000 })
  })

  it('an import of another environment goes on', async () => {
    const { api, as, upload } = await bigAccount()
    const there = { projectKey: 'web', environmentKey: 'test' }
    await api.createSegment({ ...there, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
    const { file, give, end } = dripping()
    const done = upload(file)
    await give(linesOf(keyList(10_000)))
    const made = await api.createBigSegmentImport({ ...there, segmentKey: 'big', body: { file: 'a\n' } }, { as })
    expect(made.status).toBe('complete')
    end()
    await done
  })

  it('the segment may change, and the count stays exact', async () => {
    const { api, as, upload, patch, metadata, keys } = await bigAccount()
    const { file, give, end } = dripping()
    const done = upload(file)
    await give(linesOf(keyList(10_000)))
    await patch('big', [{ op: 'replace', path: '/name', value: 'Renamed' }])
    await api.updateBigSegmentTargets({ ...keysOf('big'), body: { included: { add: ['user-1', 'new'] } } }, { as })
    end()
    await done
    expect(await keys()).toHaveLength(10_001)
    expect(await metadata()).toMatchObject({ includedCount: 10_001 })
  })

  it('a caller who goes away leaves nothing', async () => {
    const { upload, keys, isImporting, idOfImport, staged } = await bigAccount()
    const { file, give, end } = dripping()
    const done = failureOf(upload(file))
    await give(linesOf(keyList(10_000)))
    const importId = await idOfImport()
    expect(await staged(importId)).toBe(10_000)
    end(new Error('gone'))
    expect(await done).toEqual({ code: 'invalid_request', message: 'The request body breaks off' })
    expect(await staged(importId)).toBe(0)
    expect(await keys()).toEqual([])
    expect(await isImporting()).toBe(false)
    expect(await upload('a\n')).toMatchObject({ status: 'complete' })
  })

  it('a segment that is deleted ends it, also when another one has its key', async () => {
    const { api, as, create, upload, keys, staged, idOfImport, isImporting } = await bigAccount()
    const { file, give, end } = dripping()
    const done = failureOf(upload(file))
    await give(linesOf(keyList(10_000)))
    const importId = await idOfImport()
    await api.deleteSegment(keysOf('big'), { as })
    await create('big', { unbounded: true })
    expect(await isImporting()).toBe(false)
    await give(linesOf(keyList(10, 'late')))
    end()
    expect(await done).toMatchObject({ code: 'optimistic_locking_error' })
    expect(await staged(importId)).toBe(0)
    expect(await keys()).toEqual([])
  })

  it('an environment that is deleted ends it', async () => {
    const { api, as, upload, staged, idOfImport } = await bigAccount()
    const { file, give, end } = dripping()
    const done = failureOf(upload(file))
    await give(linesOf(keyList(10_000)))
    const importId = await idOfImport()
    await api.deleteEnvironment(place, { as })
    end()
    expect((await done).code).toMatch(/not_found|optimistic_locking_error/)
    expect(await staged(importId)).toBe(0)
  })

  it('one that gets on no more is given up for another after ten minutes', async () => {
    const { upload, keys, pass, staged, idOfImport, isImporting } = await bigAccount()
    const slow = dripping()
    const done = failureOf(upload(slow.file))
    await slow.give(linesOf(keyList(10_000)))
    const importId = await idOfImport()
    pass(10 * minute - 1)
    expect(await failureOf(upload('a\n'))).toMatchObject({ code: 'optimistic_locking_error' })
    pass(1)
    expect(await isImporting()).toBe(false)
    await upload(linesOf(keyList(10_001, 'b')))
    expect(await staged(importId)).toBe(0)
    await slow.give('late\n')
    slow.end()
    expect(await done).toMatchObject({ code: 'optimistic_locking_error', message: 'The import was stopped' })
    expect(await staged(importId)).toBe(0)
    expect(await keys()).toHaveLength(10_001)
  })
})

describe('an import that storage does not finish', () => {
  /** Another engine over the same storage, whose commits a test can answer. */
  async function between(answer: (batch: readonly Change[]) => CommitOutcome | undefined) {
    const storage = createMemoryStorage()
    const sound = storage.account('default')
    const commit: AccountStorage['commit'] = async (batch) => answer(batch) ?? sound.commit(batch)
    const engine = createEngine({ storage: { ...storage, account: () => ({ ...sound, commit }) } })
    const as = (await engine.bootstrap())?.token as string
    await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    await engine.api.createSegment({ ...place, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
    const rows = async () => {
      const scopes = ['proj/web:env/production', 'proj/web:env/production:segment/big']
      const query = { deep: true, limit: 10, select: 'fields', scope: scopes[0] as string } as const
      const documents = ['segment-import', 'segment-import-turn'].map((collection) =>
        sound.list({ ...query, collection }),
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
  const isLast = (batch: readonly Change[]) => batch.some((change) => change.do === 'move-members')

  it('because it lost a race leaves nothing behind', async () => {
    let lost = 1
    const { upload, rows, get } = await between((batch) =>
      isLast(batch) && lost-- > 0 ? { outcome: 'conflict', change: 0 } : undefined,
    )
    expect(await failureOf(upload(file()))).toMatchObject({ code: 'optimistic_locking_error' })
    expect(await rows()).toEqual([])
    expect(await get()).toMatchObject({ version: 1, _importInProgress: false })
    expect(await upload(file())).toMatchObject({ keyCount: 25_000 })
    expect(await get()).toMatchObject({ _unboundedMetadata: { includedCount: 25_000 } })
  })

  it.each([1, 2, 3, 4])('because it cannot be reached leaves nothing that counts: commit %i', async (fails) => {
    let commits = -Infinity
    const { upload, rows, get } = await between(() => {
      commits++
      if (commits === fails) throw storageUnavailable('for a moment')
      return undefined
    })
    commits = 0
    expect(await failureOf(upload(file()))).toMatchObject({ code: 'service_unavailable' })
    expect(await rows()).toEqual([])
    expect(await get()).toMatchObject({ version: 1, _importInProgress: false })
    expect(await upload(file())).toMatchObject({ keyCount: 25_000 })
  })

  it('nor lets clear up is given up later', async () => {
    let reachable = true
    const { upload, rows, get } = await between((batch) => {
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

describe('an import that waits', () => {
  const waiting = { waitOnApprovals: true }

  it('counts when an instruction says so', async () => {
    const { api, as, upload, keys, instruct, staged, metadata } = await bigAccount()
    for (const [mode, file, expected] of [
      ['merge', linesOf(keyList(10_500)), 10_500],
      ['replace', 'z\n', 1],
    ] as const) {
      const made = await upload(file, { ...waiting, mode })
      expect(made).toMatchObject({ status: 'pending_approval', files: [{ status: 'pending_approval' }] })
      const before = await keys()
      expect(await staged(made.id)).toBe(made.keyCount)
      expect(before).not.toHaveLength(expected)
      await instruct('big', [{ kind: 'processBigSegmentImport', importId: made.id }])
      expect(await keys()).toHaveLength(expected)
      expect(await metadata()).toMatchObject({ includedCount: expected })
      const after = await api.getBigSegmentImport({ ...keysOf('big'), importId: made.id }, { as })
      expect(after).toEqual({ ...made, status: 'complete', files: [{ filename: 'keys.csv', status: 'complete' }] })
      expect(await staged(made.id)).toBe(0)
    }
  })

  it('holds up no other import, and is stopped by the next that waits', async () => {
    const { api, as, upload, keys, instruct, staged } = await bigAccount()
    const first = await upload('a\n', waiting)
    await upload('b\n')
    const second = await upload('c\n', waiting)
    const { status } = await api.getBigSegmentImport({ ...keysOf('big'), importId: first.id }, { as })
    expect(status).toBe('stopped')
    expect(await staged(first.id)).toBe(0)
    const failure = await failureOf(instruct('big', [{ kind: 'processBigSegmentImport', importId: first.id }]))
    expect(failure.errors).toEqual([
      { attribute: 'instructions.0.importId', reason: 'must be the id of an import of the segment that waits' },
    ])
    await instruct('big', [{ kind: 'processBigSegmentImport', importId: second.id }])
    expect(await keys()).toEqual(['b', 'c'])
  })

  it('that has been processed stays so, and the instruction succeeds', async () => {
    const { upload, keys, instruct } = await bigAccount()
    const { id } = await upload('a\n', waiting)
    const process = [{ kind: 'processBigSegmentImport', importId: id }]
    const { version } = await instruct('big', process)
    await instruct('big', process)
    expect((await instruct('big', process)).version).toBe(version)
    expect(await keys()).toEqual(['a'])
  })

  it('is processed by itself, though the segment may change besides', async () => {
    const { upload, instruct, get } = await bigAccount()
    const { id } = await upload('a\n', waiting)
    const process = { kind: 'processBigSegmentImport', importId: id }
    const others = [process, { kind: 'addBigSegmentIncludedTargets', values: ['b'] }]
    for (const other of others) {
      const { errors } = await failureOf(instruct('big', [process, other]))
      expect(errors?.map(({ attribute }) => attribute)).toEqual(['instructions.0.importId'])
    }
    expect(await instruct('big', [{ kind: 'updateName', value: 'New' }, process])).toMatchObject({ name: 'New' })
    expect(await get('big')).toMatchObject({ _unboundedMetadata: { includedCount: 1 } })
  })

  it('needs the right to the included keys when it is processed', async () => {
    const { upload, instruct, keys } = await bigAccount()
    const { id } = await upload('a\n', waiting)
    const process = [{ kind: 'processBigSegmentImport', importId: id }]
    expect(await failureOf(instruct('big', process, editor('updateExcluded')))).toMatchObject({ code: 'forbidden' })
    await instruct('big', process, editor('updateIncluded'))
    expect(await keys()).toEqual(['a'])
  })

  it('refuses a key that is excluded by then', async () => {
    const { upload, exclude, instruct } = await bigAccount()
    const { id } = await upload('a\n', waiting)
    await exclude('a')
    const failure = await failureOf(instruct('big', [{ kind: 'processBigSegmentImport', importId: id }]))
    expect(failure.errors).toEqual([
      { attribute: 'instructions.0.importId', reason: 'must not hold a key that is excluded too' },
    ])
  })

  it('belongs to its segment alone', async () => {
    const { api, as, create, upload, instruct } = await bigAccount()
    await create('other', { unbounded: true })
    const { id } = await upload('a\n', waiting)
    expect(await failureOf(instruct('other', [{ kind: 'processBigSegmentImport', importId: id }]))).toMatchObject({
      code: 'invalid_request',
    })
    const elsewhere = { ...keysOf('other'), importId: id }
    expect(await failureOf(api.getBigSegmentImport(elsewhere, { as }))).toMatchObject({ code: 'not_found' })
  })

  it('goes with its segment', async () => {
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
