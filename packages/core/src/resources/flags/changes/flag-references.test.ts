import { describe, expect, it } from 'vitest'
import { awaitTurns, clause, flagProject, validationErrorOf } from '../test/flag-project.ts'

const turnOn = { kind: 'turnFlagOn' }

describe('prerequisites', () => {
  async function chain() {
    const project = await flagProject()
    const ids = new Map<string, string>()
    for (const key of ['a', 'b', 'c', 'd']) ids.set(key, (await project.create(key)).variations[0]?._id as string)
    const wait = (key: string, other: string, overrides = {}) =>
      project.instruct(key, [{ kind: 'addPrerequisite', key: other, variationId: ids.get(other) }], overrides)
    return { ...project, wait }
  }

  it('never form a cycle in one environment', async () => {
    const { get, wait } = await chain()
    await wait('a', 'b')
    await wait('b', 'c')
    expect(await validationErrorOf(wait('c', 'a'))).toEqual({
      attribute: 'instructions.0',
      reason: 'prerequisites must not form a cycle: a depends on c',
    })
    expect((await get('c')).environments?.production?.prerequisites).toEqual([])
    await wait('c', 'a', { environmentKey: 'test' })
    expect((await get('c')).environments?.test?.prerequisites).toEqual([{ key: 'a', variation: 0 }])
  })

  it('never form a cycle when both halves are added concurrently, by flags that do not refer to each other', async () => {
    const { get, wait } = await chain()
    await wait('b', 'c')
    await wait('d', 'a')
    const calls = await Promise.allSettled([wait('a', 'b'), wait('c', 'd')])
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const rejected = calls.find((outcome) => outcome.status === 'rejected')
    expect(rejected?.reason).toMatchObject({
      code: 'invalid_request',
      errors: [{ reason: expect.stringMatching(/^prerequisites must not form a cycle/) }],
    })
    const prerequisites = async (key: string) => (await get(key)).environments?.production?.prerequisites ?? []
    expect([...(await prerequisites('a')), ...(await prerequisites('c'))]).toHaveLength(1)
  })

  it('cannot be archived, and an archived flag cannot become one', async () => {
    const { instruct, patch, wait } = await chain()
    await wait('a', 'b', { environmentKey: 'test' })
    expect(await validationErrorOf(instruct('b', [turnOn, { kind: 'archiveFlag' }]))).toEqual({
      attribute: 'instructions.1',
      reason: 'archived must stay as it is while the flag is a prerequisite of a',
    })
    const archive = [{ op: 'replace', path: '/archived', value: true }]
    expect(await validationErrorOf(patch('b', archive))).toMatchObject({ attribute: 'archived' })
    await instruct('a', [{ kind: 'removePrerequisite', key: 'b' }], { environmentKey: 'test' })
    expect(await patch('b', archive)).toMatchObject({ archived: true })
    expect(await validationErrorOf(wait('a', 'b'))).toMatchObject({ attribute: 'instructions.0' })
  })

  it('cannot be archived while another flag concurrently starts to depend on them', async () => {
    const { get, instruct, wait } = await chain()
    const calls = await Promise.allSettled([wait('a', 'b'), instruct('b', [{ kind: 'archiveFlag' }])])
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const prerequisites = (await get('a')).environments?.production?.prerequisites ?? []
    expect({ waits: prerequisites.length === 1, archived: (await get('b')).archived }).not.toEqual({
      waits: true,
      archived: true,
    })
  })

  it('are removed with their environment', async () => {
    const { api, as, instruct, wait } = await chain()
    await wait('a', 'b', { environmentKey: 'test' })
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'test' }, { as })
    expect(await instruct('b', [{ kind: 'archiveFlag' }])).toMatchObject({ archived: true })
  })
})

describe('segments', () => {
  async function flagWithSegments() {
    const project = await flagProject()
    const { variations } = await project.create('f')
    for (const key of ['beta', 'staff']) await project.segment(key)
    const flagsOf = async (segmentKey: string) => {
      const keys = { projectKey: 'web', environmentKey: 'production', segmentKey }
      return (await project.api.getSegment(keys, { as: project.as }))._flags?.map(({ key }) => key)
    }
    const match = (...values: string[]) => [clause({ op: 'segmentMatch', values })]
    const addRule = (...values: string[]) => ({
      kind: 'addRule',
      clauses: match(...values),
      variationId: variations[0]?._id,
    })
    return { ...project, flagsOf, match, addRule }
  }

  it('list the flags that target them after every kind of change of rules', async () => {
    const { addRule, flagsOf, instruct, match, patch } = await flagWithSegments()
    const { environments } = await instruct('f', [addRule('beta')])
    const [rule] = environments?.production?.rules ?? []
    const ruleKeys = { ruleId: rule?._id, clauseId: rule?.clauses[0]?._id }
    expect([await flagsOf('beta'), await flagsOf('staff')]).toEqual([['f'], []])
    await instruct('f', [{ kind: 'addValuesToClause', ...ruleKeys, values: ['staff'] }])
    expect([await flagsOf('beta'), await flagsOf('staff')]).toEqual([['f'], ['f']])
    await instruct('f', [{ kind: 'removeValuesFromClause', ...ruleKeys, values: ['beta'] }])
    expect([await flagsOf('beta'), await flagsOf('staff')]).toEqual([[], ['f']])
    await patch('f', [
      { op: 'add', path: '/environments/production/rules/-', value: { clauses: match('beta'), variation: 0 } },
    ])
    expect([await flagsOf('beta'), await flagsOf('staff')]).toEqual([['f'], ['f']])
    await instruct('f', [{ kind: 'replaceRules', rules: [] }])
    expect([await flagsOf('beta'), await flagsOf('staff')]).toEqual([[], []])
  })

  it('must belong to the environment, and the error names the instruction', async () => {
    const { addRule, instruct } = await flagWithSegments()
    const error = await validationErrorOf(instruct('f', [addRule('beta'), turnOn, addRule('staff', 'none'), turnOn]))
    expect(error).toEqual({
      attribute: 'instructions.2',
      reason: 'rules must name segments of the environment: none does not exist',
    })
    const elsewhere = instruct('f', [addRule('beta')], { environmentKey: 'test' })
    expect(await validationErrorOf(elsewhere)).toMatchObject({ attribute: 'instructions.0' })
  })

  it('are never deleted while a flag concurrently starts to target them, at any interleaving', async () => {
    const { addRule, api, as, instruct, segment } = await flagWithSegments()
    const outcomes = new Set<string>()
    for (let turnCount = -160; turnCount < 160; turnCount += 4) {
      const key = `s-${turnCount}`
      await segment(key)
      const ruleKeys = { projectKey: 'web', environmentKey: 'production', segmentKey: key }
      const [targeting, deleting] = await Promise.allSettled([
        awaitTurns(-turnCount).then(() => instruct('f', [addRule(key)])),
        awaitTurns(turnCount).then(() => api.deleteSegment(ruleKeys, { as })),
      ])
      outcomes.add(`${targeting.status}, ${deleting.status}`)
    }
    expect(outcomes).toEqual(new Set(['fulfilled, rejected', 'rejected, fulfilled']))
  })
})
