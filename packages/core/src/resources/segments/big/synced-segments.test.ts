import { describe, expect, it } from 'vitest'
import { editor, environmentKeys, failureOf, segmentAccount } from '../test/segment-account.ts'

const synced = { unbounded: true, _external: 'amplitude', _externalLink: 'https://analytics.example.com/cohorts/7' }

describe('a synced segment', () => {
  it('returns the source of its keys', async () => {
    const { create, get } = await segmentAccount()
    expect(await create('cohort', synced)).toMatchObject(synced)
    expect(await get('cohort')).toMatchObject(synced)
    await create('big', { unbounded: true })
    expect(Object.keys(await get('big')).filter((name) => name.startsWith('_external'))).toEqual([])
  })

  it('can have no link', async () => {
    const { create } = await segmentAccount()
    const segment = await create('cohort', { unbounded: true, _external: 'amplitude' })
    expect(segment._external).toBe('amplitude')
    expect(Object.keys(segment)).not.toContain('_externalLink')
  })

  it('can be selected or excluded by a filter', async () => {
    const { api, as, create } = await segmentAccount()
    await create('cohort', synced)
    await create('beta')
    const keysOf = async (filter: string) =>
      (await api.listSegments({ ...environmentKeys, filter }, { as })).items.map(({ key }) => key)
    expect(await keysOf('external exists true')).toEqual(['cohort'])
    expect(await keysOf('external exists false')).toEqual(['beta'])
  })

  it('can be made from a big segment, and can be changed back into a big segment', async () => {
    const { create, patch } = await segmentAccount()
    await create('big', { unbounded: true })
    const synchronized = await patch('big', [
      { op: 'add', path: '/_external', value: 'segment' },
      { op: 'add', path: '/_externalLink', value: 'http://example.com/1' },
    ])
    expect(synchronized).toMatchObject({ _external: 'segment', _externalLink: 'http://example.com/1' })
    const unsynchronized = await patch('big', [
      { op: 'remove', path: '/_external' },
      { op: 'remove', path: '/_externalLink' },
    ])
    expect(Object.keys(unsynchronized).filter((name) => name.startsWith('_external'))).toEqual([])
  })

  it('requires the right to its included keys for a change of its source', async () => {
    const { create, patch } = await segmentAccount()
    await create('big', { unbounded: true })
    const addSource = [{ op: 'add', path: '/_external', value: 'segment' }]
    const others = editor('updateExcluded', 'updateName', 'updateDescription')
    expect(await failureOf(patch('big', addSource, others))).toMatchObject({ code: 'forbidden' })
    expect(await patch('big', addSource, editor('updateIncluded'))).toMatchObject({ _external: 'segment' })
  })

  it.each([
    [{ _external: 'amplitude' }, '_external', 'is allowed for big segments only'],
    [{ _externalLink: synced._externalLink }, '_externalLink', 'is allowed for big segments only'],
    [
      { unbounded: true, _externalLink: synced._externalLink },
      '_externalLink',
      'must be given together with _external',
    ],
    [{ ...synced, _externalLink: 'javascript:alert(1)' }, '_externalLink', 'must be an http or https URL'],
    [
      { ...synced, _externalLink: `https://x/${'y'.repeat(2_048)}` },
      '_externalLink',
      'must have at most 2048 characters',
    ],
    [{ ...synced, _external: '' }, '_external', 'must not be empty'],
    [{ ...synced, _external: 7 }, '_external', 'must be a string'],
  ])('is rejected with invalid settings: %j', async (settings, attribute, reason) => {
    const { create } = await segmentAccount()
    expect((await failureOf(create('cohort', settings))).errors).toEqual([{ attribute, reason }])
  })

  it.each(['/_external', '/_externalLink'])('cannot be made from a standard segment: %s', async (path) => {
    const { create, patch } = await segmentAccount()
    await create('beta')
    const failure = await failureOf(patch('beta', [{ op: 'add', path, value: 'https://example.com' }]))
    expect(failure.errors).toEqual([{ attribute: path.slice(1), reason: 'is allowed for big segments only' }])
  })
})
