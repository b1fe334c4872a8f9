import { describe, expect, it } from 'vitest'
import { clause, editor, environmentKeys, failureOf, keysOf, segmentAccount } from './test/segment-account.ts'

describe('deleteSegment', () => {
  it('returns 204 without a body, and 404 afterwards', async () => {
    const { create, get, send } = await segmentAccount()
    await create('beta')
    const path = '/api/v2/segments/web/production/beta'
    expect(await send('DELETE', path)).toMatchObject({ status: 204, body: undefined })
    expect(await failureOf(get('beta'))).toMatchObject({ code: 'not_found' })
    expect((await send('DELETE', path)).status).toBe(404)
  })

  it('requires deleteSegment, and the ETag when one is sent', async () => {
    const { api, as, create } = await segmentAccount()
    await create('beta')
    const rejected = api.deleteSegment(keysOf('beta'), { as: editor('update*') })
    expect(await failureOf(rejected)).toMatchObject({ code: 'forbidden' })
    const stale = api.deleteSegment(keysOf('beta'), { as, ifMatch: '"9"' })
    expect(await failureOf(stale)).toMatchObject({ code: 'optimistic_locking_error' })
    await api.deleteSegment(keysOf('beta'), { as: editor('deleteSegment'), ifMatch: '"1"' })
  })

  it('fails while flags target the segment', async () => {
    const { api, as, create, target } = await segmentAccount()
    await create('beta')
    await target('checkout', 'beta')
    const failure = await failureOf(api.deleteSegment(keysOf('beta'), { as }))
    expect(failure).toEqual({
      code: 'optimistic_locking_error',
      message: 'The segment beta is referred to by flag checkout. To remove these references with it, set detach=true.',
      referrers: [{ kind: 'flag', key: 'checkout', resource: 'proj/web:env/production:flag/checkout' }],
    })
    await api.deleteFlag({ projectKey: 'web', flagKey: 'checkout' }, { as })
    await api.deleteSegment(keysOf('beta'), { as })
  })

  it('need not be called for the segments of an environment that is deleted', async () => {
    const { api, as, create, get } = await segmentAccount()
    await create('beta')
    await api.deleteEnvironment(environmentKeys, { as })
    expect(await failureOf(get('beta'))).toMatchObject({ code: 'not_found' })
  })
})

describe('segments that refer to segments', () => {
  const match = (...values: string[]) => [
    { op: 'replace', path: '/rules', value: [{ clauses: [clause({ op: 'segmentMatch', attribute: '', values })] }] },
  ]

  it('must refer to segments of their environment', async () => {
    const { api, as, create, patch } = await segmentAccount()
    await create('a')
    await create('b')
    await api.createSegment(
      { ...environmentKeys, environmentKey: 'test', body: { key: 'elsewhere', name: 'E' } },
      { as },
    )
    const failure = await failureOf(patch('a', match('b', 'elsewhere', 'gone')))
    expect(failure.errors?.map((error) => error.attribute)).toEqual([
      'rules.0.clauses.0.values.1',
      'rules.0.clauses.0.values.2',
    ])
    expect(await patch('a', match('b'))).toMatchObject({ version: 2 })
  })

  it('never form a cycle of any length', async () => {
    const { create, patch } = await segmentAccount()
    for (const key of ['a', 'b', 'c', 'd']) await create(key)
    await patch('a', match('b', 'c'))
    await patch('b', match('c'))
    await patch('c', match('d'))
    for (const [key, reference] of [
      ['d', 'a'],
      ['d', 'd'],
      ['c', 'b'],
    ] as const) {
      const failure = await failureOf(patch(key, match(reference)))
      const reason = 'must not refer to the segment itself, neither directly nor through other segments'
      expect(failure.errors).toEqual([{ attribute: 'rules', reason }])
    }
    await patch('a', match('d'))
    expect(await patch('b', match('a'))).toMatchObject({ key: 'b' })
  })

  it('never form a cycle when both halves are added concurrently', async () => {
    const { create, patch } = await segmentAccount()
    await create('a')
    await create('b')
    const outcomes = await Promise.allSettled([patch('a', match('b')), patch('b', match('a'))])
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('cannot be deleted while another segment refers to them', async () => {
    const { api, as, create, patch } = await segmentAccount()
    for (const key of ['a', 'b', 'c']) await create(key)
    await patch('a', match('c'))
    await patch('b', match('c'))
    const failure = await failureOf(api.deleteSegment(keysOf('c'), { as }))
    const message =
      'The segment c is referred to by segment a, segment b. To remove these references with it, set detach=true.'
    expect(failure).toMatchObject({ code: 'optimistic_locking_error', message })
    await patch('a', [{ op: 'replace', path: '/rules', value: [] }])
    await patch('b', [{ op: 'replace', path: '/rules', value: [] }])
    await api.deleteSegment(keysOf('c'), { as })
  })

  it('are not deleted while they concurrently get their first reference', async () => {
    const { api, as, create, get, patch } = await segmentAccount()
    await create('a')
    await create('b')
    await Promise.allSettled([patch('a', match('b')), api.deleteSegment(keysOf('b'), { as })])
    const { rules } = await get('a')
    const exists = await get('b').then(
      () => true,
      () => false,
    )
    expect(exists).toBe(rules.length > 0)
  })
})
