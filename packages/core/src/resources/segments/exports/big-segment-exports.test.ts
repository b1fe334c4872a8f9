import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { failureOf, keyList, keysOf, segmentAccount, start } from '../test/segment-account.ts'

async function exportAccount(file = 'b\na\n') {
  const account = await segmentAccount()
  const { api, as } = account
  await account.create('big', { unbounded: true })
  await api.createBigSegmentImport({ ...keysOf('big'), body: { file } }, { as })
  return {
    ...account,
    makeExport: (caller: As = as) => api.createBigSegmentExport(keysOf('big'), { as: caller }),
    fetchExport: (exportId: string) => api.getBigSegmentExport({ ...keysOf('big'), exportId }, { as }),
    open: (exportId: string) => api.getBigSegmentExportFile({ ...keysOf('big'), exportId }, { as }),
    include: (...add: string[]) =>
      api.updateBigSegmentTargets({ ...keysOf('big'), body: { included: { add } } }, { as }),
  }
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

describe('an export of a big segment', () => {
  it('has the URL and the size of its file', async () => {
    const { api, as, makeExport, fetchExport } = await exportAccount()
    const { items } = await api.createMembers(
      { body: [{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', role: 'writer' }] },
      { as },
    )
    const created = await makeExport({ role: 'writer', memberId: items[0]?._id as string })
    const self = `/api/v2/segments/web/production/big/exports/${created.id}`
    expect(created).toEqual({
      id: created.id,
      segmentKey: 'big',
      creationTime: String(start),
      status: 'complete',
      sizeBytes: 8,
      size: '8 B',
      initiator: { name: 'Ada Lovelace', email: 'ada@example.com' },
      _links: {
        self: { href: self, type: 'application/json' },
        parent: { href: '/api/v2/segments/web/production/big', type: 'application/json' },
        file: { href: `${self}/file`, type: 'text/csv' },
      },
    })
    expect(await fetchExport(created.id)).toEqual(created)
  })

  it('contains a heading and the keys in code-point order, and an import of it results in the same keys', async () => {
    const unusualKeys = ['key', 'a,b', 'say "x"', ' spaced ', 'ümlaut', '🚀', '=1+1', 'ordinary']
    const { api, as, create, include, makeExport, open, storage } = await exportAccount()
    await include(...unusualKeys)
    const { id, sizeBytes } = await makeExport()
    const file = await textOf(await open(id))
    expect(file.split('\n').slice(0, 2)).toEqual(['key', ' spaced '])
    expect(new TextEncoder().encode(file)).toHaveLength(sizeBytes)
    await create('copy', { unbounded: true })
    await api.createBigSegmentImport({ ...keysOf('copy'), body: { file } }, { as })
    const keysIn = (segmentKey: string) =>
      storage.pageKeys({ name: 'included', scope: `proj/web:env/production:segment/${segmentKey}` }, { limit: 100 })
    expect(await keysIn('copy')).toEqual(await keysIn('big'))
    expect(await keysIn('copy')).toHaveLength(10)
  })

  it('is streamed in pieces when it is long', async () => {
    const keys = keyList(25_000)
    const { makeExport, open } = await exportAccount(keys.map((key) => `${key}\n`).join(''))
    const { id, size } = await makeExport()
    const pieces: string[] = []
    for await (const piece of await open(id)) pieces.push(piece)
    expect(pieces.length).toBe(3)
    expect(size).toBe(`${Math.round((4 + keys.join('\n').length + 1) / 1024)} KB`)
    expect(pieces.join('')).toBe(`key\n${[...keys].sort().join('\n')}\n`)
  })

  it('is reused while the keys are unchanged', async () => {
    const { makeExport, include, patch, pass } = await exportAccount()
    const first = await makeExport()
    pass(1_000)
    await patch('big', [{ op: 'replace', path: '/name', value: 'Renamed' }])
    expect(await makeExport()).toEqual(first)
    await include('c')
    expect((await makeExport()).id).not.toBe(first.id)
  })

  it('no longer has a file after the keys have changed', async () => {
    const { makeExport, open, include } = await exportAccount()
    const { id } = await makeExport()
    await include('c')
    expect(await failureOf(open(id))).toEqual({
      code: 'optimistic_locking_error',
      message: 'The segment has changed since the export: create a new export',
    })
  })

  it('fails during the download when the keys change', async () => {
    const { makeExport, open, include } = await exportAccount(keyList(25_000).join('\n'))
    const { id } = await makeExport()
    const pieces = (await open(id))[Symbol.asyncIterator]()
    expect((await pieces.next()).done).toBe(false)
    await include('new')
    await expect(pieces.next()).rejects.toMatchObject({ code: 'optimistic_locking_error' })
  })

  it('is sent over a transport as a text attachment', async () => {
    const { makeExport, send } = await exportAccount()
    const { id } = await makeExport()
    const response = await send('GET', `/api/v2/segments/web/production/big/exports/${id}/file`)
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'text/csv' }, body: undefined })
    expect(response.headers['content-disposition']).toBe('attachment')
    expect(await textOf(response.pieces as AsyncIterable<string>)).toBe('key\na\nb\n')
  })

  it('is created with a Location header', async () => {
    const { send } = await exportAccount()
    const { status, headers, body } = await send('POST', '/api/v2/segments/web/production/big/exports')
    expect(status).toBe(201)
    expect(headers.location).toBe(`/api/v2/segments/web/production/big/exports/${JSON.parse(body as string).id}`)
  })

  it('requires a big segment, and the right to view the project', async () => {
    const { api, as, create, makeExport } = await exportAccount()
    await create('beta')
    expect(await failureOf(api.createBigSegmentExport(keysOf('beta'), { as }))).toMatchObject({
      code: 'invalid_request',
    })
    expect(await failureOf(api.createBigSegmentExport(keysOf('none'), { as }))).toMatchObject({ code: 'not_found' })
    const callerWithoutView: As = {
      policy: [{ effect: 'allow', actions: ['*'], resources: ['proj/*:env/*:segment/*'] }],
    }
    expect(await failureOf(makeExport(callerWithoutView))).toMatchObject({ code: 'forbidden' })
    expect(await makeExport({ role: 'reader' })).toMatchObject({ status: 'complete' })
  })

  it('is deleted with its segment', async () => {
    const { api, as, create, makeExport, fetchExport, open } = await exportAccount()
    const { id } = await makeExport()
    await api.deleteSegment(keysOf('big'), { as })
    await create('big', { unbounded: true })
    expect(await failureOf(fetchExport(id))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(open(id))).toMatchObject({ code: 'not_found' })
  })
})
