import { describe, expect, it } from 'vitest'
import { allow, environmentKeys, failureOf, segmentAccount } from './test/segment-account.ts'

describe('createSegment', () => {
  it('creates a standard segment and returns 201', async () => {
    const { send } = await segmentAccount()
    const body = { key: 'beta', name: 'Beta', tags: ['t'] }
    const response = await send('POST', '/api/v2/segments/web/production', { body })
    expect(response).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    expect(JSON.parse(response.body as string)).toMatchObject({ ...body, unbounded: false, version: 1 })
  })

  it('rejects a key that is taken', async () => {
    const { create } = await segmentAccount()
    await create('beta')
    const message = 'There is a segment beta already'
    expect(await failureOf(create('beta'))).toEqual({ code: 'optimistic_locking_error', message })
  })

  it('returns 404 for an unknown environment', async () => {
    const { api, as } = await segmentAccount()
    const call = api.createSegment(
      { ...environmentKeys, environmentKey: 'nowhere', body: { key: 'beta', name: 'B' } },
      { as },
    )
    expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['key', {}],
    ['name', { name: '' }],
    ['key', { key: 'no spaces' }],
    ['tags', { tags: ['a', 'a'] }],
    ['included', { included: ['ada'] }],
    ['unboundedContextKind', { unboundedContextKind: 'org' }],
  ])('reports %s for an invalid body: %j', async (attribute, properties) => {
    const { api, as } = await segmentAccount()
    const body = { name: 'Beta', ...(Object.keys(properties).length > 0 ? { key: 'beta' } : {}), ...properties }
    const failure = await failureOf(api.createSegment({ ...environmentKeys, body: body as never }, { as }))
    expect(failure).toMatchObject({ code: 'invalid_request', message: 'validation failed' })
    expect(failure.errors?.map((error) => error.attribute)).toContain(attribute)
  })

  it('requires createSegment on the segment that the body names', async () => {
    const { api } = await segmentAccount()
    const callerFor = (resource: string) => ({ as: { policy: [allow(['createSegment'], [resource])] } })
    const body = { key: 'beta', name: 'Beta' }
    const rejected = api.createSegment({ ...environmentKeys, body }, callerFor('proj/web:env/production:segment/alpha'))
    expect(await failureOf(rejected)).toMatchObject({ code: 'forbidden' })
    const created = await api.createSegment(
      { ...environmentKeys, body },
      callerFor('proj/web:env/production:segment/be*'),
    )
    expect(created.key).toBe('beta')
  })
})
