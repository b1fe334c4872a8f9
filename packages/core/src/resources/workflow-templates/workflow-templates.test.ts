import { describe, expect, it } from 'vitest'
import {
  allow,
  approval,
  failureOf,
  flagKeys,
  hour,
  minute,
  stage,
  start,
  turnOff,
  turnOn,
  wait,
  workflowProject,
} from '../workflows/test/workflow-project.ts'

async function templateProject() {
  const project = await workflowProject()
  const { api, as } = project
  return {
    ...project,
    template: (body: object, caller = as) =>
      api.createWorkflowTemplate({ body: { key: 'launch', ...body } as never }, { as: caller }),
    templates: async (query: object = {}, caller = as) => (await api.getWorkflowTemplates(query, { as: caller })).items,
    fromTemplate: (body: object = {}, flag: object = {}, query: object = {}) =>
      api.postWorkflow(
        { ...flagKeys, ...flag, templateKey: 'launch', ...query, body: { name: 'Launch', ...body } as never },
        { as },
      ),
    variationIds: async (flagKey = 'checkout') => ((await project.get(flagKey)).variations ?? []).map(({ _id }) => _id),
  }
}

describe('a workflow template', () => {
  it('is returned with all properties, and listed', async () => {
    const { template, templates, memberId } = await templateProject()
    const created = await template({
      name: 'Launch',
      description: 'For all flags',
      stages: [stage([wait(5), { ...approval, description: 'Please' }], turnOn, { name: 'On' })],
    })
    const condition = {
      _execution: { status: 'pending' },
      notifyMemberIds: [],
      allReviews: [],
      reviewStatus: 'pending',
    }
    expect(created).toEqual({
      _id: expect.any(String),
      _key: 'launch',
      name: 'Launch',
      description: 'For all flags',
      _creationDate: String(start),
      _ownerId: memberId,
      _maintainerId: memberId,
      stages: [
        {
          _id: expect.any(String),
          name: 'On',
          conditions: [
            {
              ...condition,
              _id: expect.any(String),
              kind: 'schedule',
              scheduleKind: 'relative',
              waitDuration: 5,
              waitDurationUnit: 'calendarMinute',
              description: '',
            },
            { ...condition, _id: expect.any(String), kind: 'ld-approval', description: 'Please', notifyTeamKeys: [] },
          ],
          action: { kind: 'patch', instructions: [turnOn] },
          _execution: { status: 'pending' },
        },
      ],
      parameters: [],
      _links: { parent: { href: '/api/v2/templates', type: 'application/json' } },
    })
    expect(await templates()).toEqual([created])
    const { stages: _, parameters: __, ...summary } = created
    expect(await templates({ summary: true })).toEqual([summary])
  })

  it('is found by a text in its name or description, by callers who may view it', async () => {
    const { template, templates } = await templateProject()
    const stages = [stage([], turnOn)]
    await template({ key: 'b', name: 'Slow launch', stages })
    await template({ key: 'a', description: 'a quick LAUNCH', stages })
    await template({ key: 'c', name: 'End', stages })
    const keysOf = async (...input: Parameters<typeof templates>) => (await templates(...input)).map(({ _key }) => _key)
    expect(await keysOf()).toEqual(['a', 'b', 'c'])
    expect(await keysOf({ search: 'launch' })).toEqual(['a', 'b'])
    const viewer = { policy: [allow(['viewTemplate'], ['template/c'])] } as never
    expect(await keysOf({}, viewer)).toEqual(['c'])
    expect((await failureOf(template({ key: 'd', stages }, viewer))).code).toBe('forbidden')
  })

  it('makes workflows of any flag, which stay when it is deleted', async () => {
    const { template, fromTemplate, create, api, as, run, pass, isOn } = await templateProject()
    await template({ stages: [stage([wait(1)], turnOn)] })
    await create('other')
    const { templateKey, meta } = await fromTemplate()
    expect([templateKey, meta]).toEqual(['launch', { parameters: [] }])
    await fromTemplate({}, { flagKey: 'other' })
    await api.deleteWorkflowTemplate({ templateKey: 'launch' }, { as })
    pass(minute)
    await run()
    expect([await isOn('checkout'), await isOn('other')]).toEqual([true, true])
    expect((await failureOf(fromTemplate())).errors).toEqual([
      { attribute: 'templateKey', reason: 'must be the key of a workflow template' },
    ])
  })

  it('has the stages of a workflow, without dates', async () => {
    const { template, post, templates } = await templateProject()
    const date = { kind: 'schedule', executionDate: start + hour }
    const { _id: workflowId } = await post([stage([date, approval], turnOn), stage([wait(3)], turnOff)])
    const created = await template({ workflowId, ...flagKeys })
    const [first, second] = created.stages ?? []
    expect(first?.conditions.map((each) => [each.kind, each.executionDate, 'approvalRequestId' in each])).toEqual([
      ['schedule', undefined, false],
      ['ld-approval', undefined, false],
    ])
    expect(second?.conditions).toMatchObject([{ waitDuration: 3, waitDurationUnit: 'calendarMinute' }])
    expect(created.parameters).toEqual([
      { _id: expect.any(String), at: '/0/conditions/0', path: '/executionDate', default: {} },
    ])
    expect(await templates()).toEqual([created])
  })

  it('takes the dates and other values of a workflow from its creation', async () => {
    const { template, fromTemplate, post, run, pass, isOn } = await templateProject()
    const { _id: workflowId } = await post([stage([{ kind: 'schedule', executionDate: start + minute }], turnOn)])
    const { parameters = [] } = await template({ workflowId, ...flagKeys })
    expect((await failureOf(fromTemplate())).errors).toEqual([
      { attribute: 'stages.0.conditions.0.executionDate', reason: 'must be in the future' },
    ])
    const value = { _id: parameters[0]?._id, default: { value: start + hour } }
    const created = await fromTemplate({ parameters: [value] })
    expect(created.stages[0]?.conditions[0]?.executionDate).toBe(String(start + hour))
    const unknown = { _id: 'none', default: { value: 1 } }
    expect((await failureOf(fromTemplate({ parameters: [unknown] }))).errors).toEqual([
      { attribute: 'parameters.0._id', reason: 'must be the id of a parameter of the template' },
    ])
    pass(hour)
    await run()
    expect(await isOn('checkout')).toBe(true)
  })

  it('serves the variation with the same value of another boolean flag', async () => {
    const { template, fromTemplate, create, variationIds, run, get } = await templateProject()
    const [yes, no] = await variationIds()
    const serve = { kind: 'updateFallthroughVariationOrRollout', variationId: no }
    const rollout = {
      kind: 'updateFallthroughVariationOrRollout',
      rolloutWeights: { [yes as string]: 20_000, [no as string]: 80_000 },
    }
    const { parameters } = await template({ ...flagKeys, stages: [stage([], serve), stage([], rollout)] })
    expect(parameters).toMatchObject([
      { at: '/0/action/instructions/0', path: '/variationId', default: { value: no, booleanVariationValue: false } },
      { at: '/1/action/instructions/0', path: '/rolloutWeights', default: { value: { [yes as string]: 20_000 } } },
    ])
    await create('other')
    const [otherYes, otherNo] = await variationIds('other')
    const { stages, meta } = await fromTemplate({}, { flagKey: 'other' })
    expect(stages.map(({ action }) => action.instructions[0])).toMatchObject([
      { variationId: otherNo },
      { rolloutWeights: { [otherYes as string]: 20_000, [otherNo as string]: 80_000 } },
    ])
    expect(meta?.parameters.map(({ valid }) => valid)).toEqual([true, true])
    await run()
    const { fallthrough } = (await get('other')).environments?.production ?? {}
    expect(fallthrough).toMatchObject({ rollout: { variations: [{ weight: 20_000 }, { weight: 80_000 }] } })
    const chosen = { _id: parameters?.[0]?._id, default: { booleanVariationValue: true } }
    const planned = await fromTemplate({ parameters: [chosen] }, { flagKey: 'other' }, { dryRun: true })
    expect(planned.stages[0]?.action.instructions[0]).toMatchObject({ variationId: otherYes })
  })

  it('is refused at the instruction whose variation a flag does not have, unless a parameter replaces it', async () => {
    const { template, fromTemplate, create, variationIds } = await templateProject()
    await create('colors', { variations: [{ value: 'red' }, { value: 'blue' }] })
    const [, no] = await variationIds()
    const serve = { kind: 'updateFallthroughVariationOrRollout', variationId: no }
    const { parameters } = await template({ ...flagKeys, stages: [stage([wait(1)], turnOn), stage([], serve)] })
    const failure = await failureOf(fromTemplate({}, { flagKey: 'colors' }, { dryRun: true }))
    expect(failure.errors?.[0]?.attribute).toMatch(/^stages\.1\.action\.instructions\.0/)
    const [, blue] = await variationIds('colors')
    const value = { _id: parameters?.[0]?._id, default: { value: blue } }
    await fromTemplate({ parameters: [value] }, { flagKey: 'colors' })
  })

  it('needs the id of a variation for a flag that is not boolean', async () => {
    const { template, fromTemplate, create, variationIds } = await templateProject()
    await create('colors', { variations: [{ value: 'red' }, { value: 'blue' }] })
    const [, no] = await variationIds()
    const serve = { kind: 'updateFallthroughVariationOrRollout', variationId: no }
    const { parameters } = await template({ ...flagKeys, stages: [stage([], serve)] })
    const [, blue] = await variationIds('colors')
    const withDefault = (replacement: object) => ({
      parameters: [{ _id: parameters?.[0]?._id, default: { booleanVariationValue: true, ...replacement } }],
    })
    for (const replacement of [{}, { value: null }]) {
      expect((await failureOf(fromTemplate(withDefault(replacement), { flagKey: 'colors' }))).errors).toEqual([
        { attribute: 'parameters.0.default.value', reason: 'must be given, because the flag is not boolean' },
      ])
    }
    const { stages } = await fromTemplate(withDefault({ value: blue }), { flagKey: 'colors' })
    expect(stages[0]?.action.instructions[0]).toMatchObject({ variationId: blue })
  })

  it('takes a date condition without a date, which is a parameter', async () => {
    const { template } = await templateProject()
    const condition = { kind: 'schedule', scheduleKind: 'absolute' }
    const { parameters } = await template({ stages: [stage([condition as never], turnOn)] })
    expect(parameters).toMatchObject([{ at: '/0/conditions/0', path: '/executionDate' }])
  })

  it('is refused without stages, with both stages and a workflow, and with a workflow of an unknown or invisible flag', async () => {
    const { template, post } = await templateProject()
    const { _id: workflowId } = await post([stage([wait(1)], turnOn)])
    const attributesOf = async (body: object, caller?: never) =>
      (await failureOf(template(body, caller))).errors?.map(({ attribute }) => attribute)
    expect(await attributesOf({})).toEqual(['stages'])
    expect(await attributesOf({ ...flagKeys, workflowId, stages: [stage([], turnOn)] })).toEqual(['stages'])
    expect(await attributesOf({ workflowId })).toEqual(['workflowId'])
    expect(await attributesOf({ ...flagKeys, workflowId: 'none' })).toEqual(['workflowId'])
    expect(await attributesOf({ ...flagKeys, flagKey: 'none', workflowId })).toEqual(['flagKey'])
    const creator = { policy: [allow(['createTemplate'], ['template/*'])] } as never
    expect(await attributesOf({ ...flagKeys, workflowId }, creator)).toEqual(['flagKey'])
  })
})
