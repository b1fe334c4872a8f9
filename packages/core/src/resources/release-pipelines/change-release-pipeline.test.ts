import { describe, expect, it } from 'vitest'
import { failureOf, validationErrorOf } from '../flags/test/flag-project.ts'
import { audience, releaseProject, twoPhases } from './test/release-project.ts'

describe('putReleasePipeline', () => {
  it('replaces all properties, and resets omitted ones', async () => {
    const { addPipeline, putPipeline, getPipeline, pass } = await releaseProject()
    const before = await addPipeline('usual', { description: 'Long', tags: ['a'], isLegacy: true })
    pass(5_000)
    const after = await putPipeline('usual', {
      name: 'Short',
      phases: [{ name: 'Now', audiences: [audience('production')], configuration: { a: 1 } }],
    })
    expect(after).toMatchObject({
      key: 'usual',
      name: 'Short',
      description: '',
      tags: [],
      createdAt: before.createdAt,
      _version: 2,
      isProjectDefault: true,
      _isLegacy: true,
    })
    expect(after.phases).toEqual([
      {
        id: before.phases[0]?.id,
        name: 'Now',
        audiences: [{ name: 'All of production', environment: expect.anything(), segmentKeys: [] }],
        configuration: { a: 1 },
      },
    ])
    expect(await getPipeline('usual')).toEqual(after)
  })

  it('keeps the ids of phases at the same index, and gives new phases new ids', async () => {
    const { addPipeline, putPipeline } = await releaseProject()
    const before = await addPipeline('usual')
    const phases = [...twoPhases, { name: 'Late', audiences: [] }]
    const after = await putPipeline('usual', { phases })
    const ids = after.phases.map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual(before.phases.map(({ id }) => id))
    expect(new Set(ids).size).toBe(3)
  })

  it('responds with 404 for an unknown pipeline, and creates none', async () => {
    const { putPipeline, listPipelines } = await releaseProject()
    expect(await failureOf(putPipeline('gone'))).toEqual({
      code: 'not_found',
      message: 'Invalid resource identifier',
    })
    expect((await listPipelines()).totalCount).toBe(0)
  })

  it.each([
    ['phases.0.audiences.0.environmentKey', audience('nowhere')],
    ['phases.0.audiences.0.segmentKeys.0', audience('test', { segmentKeys: ['gone'] })],
  ])('reports an unknown reference: %s', async (attribute, invalidAudience) => {
    const { addPipeline, putPipeline, getPipeline } = await releaseProject()
    const before = await addPipeline('usual')
    const error = await validationErrorOf(
      putPipeline('usual', { phases: [{ name: 'One', audiences: [invalidAudience] }] }),
    )
    expect(error.attribute).toBe(attribute)
    expect(await getPipeline('usual')).toEqual(before)
  })

  it('requires the name and the phases, and reports both together', async () => {
    const { addPipeline, api, at, as } = await releaseProject()
    await addPipeline('usual')
    const { errors } = await failureOf(api.putReleasePipeline({ ...at('usual'), body: {} as never }, { as }))
    expect(errors).toEqual([
      { attribute: 'name', reason: 'must be present' },
      { attribute: 'phases', reason: 'must be present' },
    ])
  })

  it('rejects a key', async () => {
    const { addPipeline, putPipeline } = await releaseProject()
    await addPipeline('usual')
    expect(await validationErrorOf(putPipeline('usual', { key: 'other' }))).toEqual({
      attribute: 'key',
      reason: 'is not a known member',
    })
  })

  it('succeeds once when two calls run concurrently', async () => {
    const { addPipeline, putPipeline, getPipeline } = await releaseProject()
    await addPipeline('usual')
    const outcomes = await Promise.allSettled([
      putPipeline('usual', { name: 'A' }),
      putPipeline('usual', { name: 'B' }),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await getPipeline('usual'))._version).toBe(2)
  })
})

describe('patchReleasePipeline', () => {
  it('changes the name, description, tags and phases', async () => {
    const { addPipeline, patchPipeline } = await releaseProject()
    const before = await addPipeline('usual', { description: 'Long', tags: ['a'] })
    const after = await patchPipeline('usual', [
      { op: 'replace', path: '/name', value: 'Other' },
      { op: 'remove', path: '/description' },
      { op: 'add', path: '/tags/-', value: 'b' },
      { op: 'replace', path: '/phases/0/name', value: 'Staff' },
      { op: 'move', from: '/phases/1', path: '/phases/0' },
      { op: 'add', path: '/phases/-', value: { name: 'Late', audiences: [audience('test')] } },
    ])
    expect(after).toMatchObject({ name: 'Other', description: '', tags: ['a', 'b'], _version: 2 })
    expect(after.phases.map(({ name }) => name)).toEqual(['Everybody', 'Staff', 'Late'])
    expect(after.phases.map(({ id }) => id)).toEqual([before.phases[1]?.id, before.phases[0]?.id, expect.any(String)])
  })

  it.each([
    ['an unknown phase id', [{ op: 'replace', path: '/phases/0/id', value: 'mine' }], 'phases.0.id'],
    ['a repeated phase', [{ op: 'copy', from: '/phases/0', path: '/phases/1' }], 'phases.1.id'],
    [
      'an unknown environment',
      [{ op: 'replace', path: '/phases/0/audiences/0/environmentKey', value: 'nowhere' }],
      'phases.0.audiences.0.environmentKey',
    ],
    ['an empty list of phases', [{ op: 'replace', path: '/phases', value: [] }], 'phases'],
  ])('rejects %s', async (_, operations, attribute) => {
    const { addPipeline, patchPipeline } = await releaseProject()
    await addPipeline('usual')
    expect((await validationErrorOf(patchPipeline('usual', operations))).attribute).toBe(attribute)
  })

  it.each(['/key', '/isProjectDefault', '/_isLegacy', '/isLegacy', '/createdAt', '/holds', '/id'])(
    'rejects a change of %s',
    async (path) => {
      const { addPipeline, patchPipeline } = await releaseProject()
      await addPipeline('usual')
      expect(await failureOf(patchPipeline('usual', [{ op: 'add', path, value: 'x' }]))).toMatchObject({
        code: 'invalid_request',
      })
    },
  )

  it('responds with 409 when a test operation fails', async () => {
    const { addPipeline, patchPipeline } = await releaseProject()
    await addPipeline('usual')
    expect(await failureOf(patchPipeline('usual', [{ op: 'test', path: '/name', value: 'x' }]))).toMatchObject({
      code: 'optimistic_locking_error',
    })
  })
})
