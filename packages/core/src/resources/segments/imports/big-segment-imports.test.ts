import { describe, expect, it } from 'vitest'
import { bigAccount, controlledFile, linesOf } from '../test/import-account.ts'
import { editor, failureOf, keyList, keysOf, start } from '../test/segment-account.ts'

describe('an import into a big segment', () => {
  it('adds the keys of a file to the existing keys', async () => {
    const { api, as, upload, keys, metadata, pass } = await bigAccount()
    await upload('a\nb\n')
    pass(1_000)
    const second = await upload('b\nc\nb\n', { filename: 'beta users.csv' })
    expect(second).toEqual({
      id: second.id,
      segmentKey: 'big',
      creationTime: String(start + 1_000),
      mode: 'merge',
      status: 'complete',
      files: [{ filename: 'beta users.csv', status: 'complete' }],
      keyCount: 2,
      _links: {
        self: { href: `/api/v2/segments/web/production/big/imports/${second.id}`, type: 'application/json' },
        parent: { href: '/api/v2/segments/web/production/big', type: 'application/json' },
      },
    })
    expect(await api.getBigSegmentImport({ ...keysOf('big'), importId: second.id }, { as })).toEqual(second)
    expect(await keys()).toEqual(['a', 'b', 'c'])
    expect(await metadata()).toMatchObject({ includedCount: 3, version: 3, lastModified: start + 1_000 })
  })

  it('replaces the existing keys with the keys of a file', async () => {
    const { upload, keys, metadata } = await bigAccount()
    await upload('a\nb\n')
    expect(await upload('b\nc\nd\n', { mode: 'replace' })).toMatchObject({ mode: 'replace', keyCount: 3 })
    expect(await keys()).toEqual(['b', 'c', 'd'])
    expect(await metadata()).toMatchObject({ includedCount: 3 })
    await upload('key\n', { mode: 'replace' })
    expect(await keys()).toEqual([])
    expect(await metadata()).toMatchObject({ includedCount: 0 })
  })

  it.each(['merge', 'replace'])('changes nothing when the keys exist already: %s', async (mode) => {
    const { upload, get, metadata } = await bigAccount()
    await upload('a\nb\n')
    const { version } = await get('big')
    await upload('b\na\n', { mode })
    expect((await get('big')).version).toBe(version)
    expect(await metadata()).toMatchObject({ includedCount: 2, version: 2 })
  })

  it.each(['merge', 'replace'])('accepts files that need many commits, and counts exactly: %s', async (mode) => {
    const { upload, keys, metadata, staged } = await bigAccount()
    await upload(linesOf(keyList(12_000)))
    const keysOfFile = [...keyList(9_000), ...keyList(25_000, 'other'), ...keyList(500, 'other')]
    const { id, keyCount } = await upload(linesOf(keysOfFile), { mode })
    expect(keyCount).toBe(34_000)
    const count = mode === 'merge' ? 37_000 : 34_000
    expect(await keys()).toHaveLength(count)
    expect(await metadata()).toMatchObject({ includedCount: count })
    expect(await staged(id)).toBe(0)
  })

  it('is a change of the segment in the change log', async () => {
    const { api, as, upload } = await bigAccount()
    await upload('a\n')
    const [entry] = (await api.listChangeLog({}, { as })).items
    expect(entry).toMatchObject({ kind: 'segment', name: 'big' })
    expect(JSON.stringify(entry)).toContain('updateIncluded')
  })

  it('accepts contexts of the context kind of the segment', async () => {
    const { upload, metadata } = await bigAccount({ unboundedContextKind: 'org' })
    await upload('acme\n')
    expect(await metadata()).toMatchObject({ includedCount: 1 })
  })

  it.each([
    ['a standard segment', 'beta', 'invalid_request'],
    ['an unknown segment', 'none', 'not_found'],
  ])('is rejected for %s', async (_, segmentKey, code) => {
    const { create, upload, as } = await bigAccount()
    await create('beta')
    expect(await failureOf(upload('a\n', {}, as, segmentKey))).toMatchObject({ code })
  })

  it('rejects a file with an excluded key, and stores none of its keys', async () => {
    const { upload, exclude, keys, idOfImport } = await bigAccount()
    await exclude('b')
    for (const file of ['a\nb\n', linesOf([...keyList(20_000), 'b'])]) {
      expect(await failureOf(upload(file))).toEqual({
        code: 'invalid_request',
        message: 'validation failed',
        errors: [{ attribute: 'file', reason: 'must not contain a key that is also excluded' }],
      })
    }
    expect(await keys()).toEqual([])
    expect(await idOfImport()).toBeUndefined()
    await upload('a\n')
    expect(await keys()).toEqual(['a'])
  })

  it('reports every line that is not a valid key', async () => {
    const { upload, keys } = await bigAccount()
    const failure = await failureOf(upload(`a\n"b\n${'c'.repeat(257)}\nd,e\n\n"f"\n`))
    expect(failure.errors?.map(({ attribute }) => attribute)).toEqual(['file.2', 'file.3', 'file.4'])
    expect(await keys()).toEqual([])
  })

  it('rejects more than a million keys', async () => {
    const { upload, metadata, idOfImport } = await bigAccount()
    async function* file() {
      for (let piece = 0; piece <= 100; piece++) yield `${'a\n'.repeat(9_999)}${piece}\n`
    }
    const failure = await failureOf(upload(file()))
    expect(failure.errors).toEqual([{ attribute: 'file', reason: 'must contain at most 1000000 keys' }])
    expect(await metadata()).toMatchObject({ includedCount: 0 })
    expect(await idOfImport()).toBeUndefined()
  })

  it.each([
    ['file', {}],
    ['file', { file: 7 }],
    ['mode', { file: 'a\n', mode: 'append' }],
    ['waitOnApprovals', { file: 'a\n', waitOnApprovals: 'perhaps' }],
    ['filename', { file: 'a\n', filename: 7 }],
  ])('rejects invalid fields: %s in %j', async (attribute, body) => {
    const { api, as } = await bigAccount()
    const failure = await failureOf(api.createBigSegmentImport({ ...keysOf('big'), body: body as never }, { as }))
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute }] })
  })

  it('rejects an empty file', async () => {
    const { upload } = await bigAccount()
    expect(await failureOf(upload(''))).toEqual({
      code: 'invalid_request',
      message: 'A request body must be present',
    })
  })

  it('requires the right to the included keys', async () => {
    const { upload, keys } = await bigAccount()
    const others = editor('updateExcluded', 'updateRules', 'updateName')
    expect(await failureOf(upload('a\n', {}, others))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(upload(controlledFile().file, {}, others))).toMatchObject({ code: 'forbidden' })
    await upload('a\n', {}, editor('updateIncluded'))
    expect(await keys()).toEqual(['a'])
  })
})
