import { describe, expect, it } from 'vitest'
import { aiConfigs, createEngineOf, environments, projects, simulator } from '../../entries/operations.ts'
import type { As } from '../../index.ts'
import { editor, failureOf, validationErrorsOf } from '../ai-configs/test/ai-project.ts'
import { withChat } from '../ai-configs/test/chat-config.ts'
import { ann, bob, contexts, environmentKeys } from './test/simulated-project.ts'

const chat = { ...environmentKeys, configKey: 'chat' }
const turnOn = { kind: 'turnFlagOn' } as const
const inStaff = { attribute: '', op: 'segmentMatch', contextKind: 'user', values: ['staff'], negate: false }

/**
 * Makes the config `chat`, whose variation `a` is served to all contexts and `b` to the segment `staff`, which contains
 * ann.
 */
async function servedChat() {
  const project = await withChat()
  const { api, as, instruct, patchVariation, engine, a, b } = project
  await api.createSegment({ ...environmentKeys, body: { key: 'staff', name: 'Staff' } }, { as })
  const include = {
    environmentKey: 'production',
    instructions: [{ kind: 'addIncludedUsers', values: ['ann'] }],
  } as const
  await api.patchSegment({ ...environmentKeys, segmentKey: 'staff', body: include }, { as })
  await patchVariation('chat', 'a', { messages: [{ role: 'user', content: 'Hello' }] })
  await instruct('chat', [
    turnOn,
    { kind: 'addRule', clauses: [inStaff], variationId: b },
    { kind: 'updateFallthroughVariationOrRollout', variationId: a },
  ])
  const evaluated = async () => {
    const evaluator = engine.evaluator(environmentKeys)
    await evaluator.ready()
    return contexts.map((context) => evaluator.evaluate('chat', context, undefined))
  }
  const simulate = (change: object, caller: As = as) =>
    engine.simulate({ ...chat, contexts, ...change } as never, { as: caller })
  return { ...project, simulate, evaluated }
}

type ChatSimulation = Awaited<ReturnType<Awaited<ReturnType<typeof servedChat>>['simulate']>>

const withoutIds = (results: readonly object[]) =>
  results.map((result) => {
    const { variationId: _, ...evaluation } = result as { readonly variationId?: unknown }
    return evaluation
  })

/** Makes a change, and requires that a simulation of it has predicted the evaluations before and after. */
async function expectPrediction(
  { evaluated }: Pick<Awaited<ReturnType<typeof servedChat>>, 'evaluated'>,
  simulation: ChatSimulation,
  apply: () => Promise<unknown>,
): Promise<void> {
  expect(withoutIds(simulation.contexts.map(({ before }) => before as object))).toEqual(await evaluated())
  await apply()
  expect(withoutIds(simulation.contexts.map(({ after }) => after as object))).toEqual(await evaluated())
}

describe('a simulated change of an AI config', () => {
  it('of its targeting predicts which contexts get which variation, and why', async () => {
    const project = await servedChat()
    const { simulate, instruct, a, b, log } = project
    const instructions = [{ kind: 'addTargets', values: ['bob'], variationId: b }]
    const entries = (await log()).length
    const simulation = await simulate({ instructions, comment: 'for Bob' })
    expect(await log()).toHaveLength(entries)
    expect(simulation).toMatchObject({
      kind: 'aiconfig',
      changed: 1,
      contexts: [
        { changed: false, before: { variationId: b }, after: { variationId: b } },
        {
          changed: true,
          before: { variationId: a, value: { messages: [{ content: 'Hello' }] } },
          after: { variationId: b, reason: { kind: 'TARGET_MATCH' } },
          why: { before: expect.stringContaining('flag chat is on'), after: expect.stringContaining('user bob') },
        },
      ],
      segments: [{ key: 'staff', name: 'Staff', before: 1, after: 1, referenced: { before: true, after: true } }],
      flags: [],
      aiConfigs: [],
      changeLogEntry: { comment: 'for Bob', accesses: [{ action: 'updateAIConfigTargeting' }] },
    })
    await expectPrediction(project, simulation, () => instruct('chat', instructions))
  })

  it('that turns it off predicts a disabled copy of the off variation', async () => {
    const project = await servedChat()
    const { simulate, instruct, a } = project
    const simulation = await simulate({ instructions: [{ kind: 'turnFlagOff' }] })
    expect(simulation).toMatchObject({
      changed: 2,
      contexts: [ann, bob].map(() => ({
        after: { variationId: a, value: { _ldMeta: { enabled: false } }, reason: { kind: 'OFF' } },
      })),
    })
    await expectPrediction(project, simulation, () => instruct('chat', [{ kind: 'turnFlagOff' }]))
  })

  it('of a variation predicts the value of the contexts that get it', async () => {
    const project = await servedChat()
    const { simulate, patchVariation, a } = project
    const patch = { messages: [{ role: 'user', content: 'Good day' }] }
    const simulation = await simulate({ variationKey: 'a', patch, comment: 'politer' })
    expect(simulation).toMatchObject({
      changed: 1,
      contexts: [
        { changed: false },
        {
          changed: true,
          before: { variationId: a, value: { messages: [{ content: 'Hello' }] } },
          after: { variationId: a, value: { messages: [{ content: 'Good day' }] } },
        },
      ],
      answer: { key: 'a', version: 3, comment: 'politer' },
    })
    await expectPrediction(project, simulation, () => patchVariation('chat', 'a', patch))
  })

  it('of the config itself changes no context', async () => {
    const { simulate, get } = await servedChat()
    expect(await simulate({ patch: { name: 'Talk' } })).toMatchObject({
      changed: 0,
      changeLogEntry: { accesses: [{ action: 'updateAIConfig' }] },
      answer: { name: 'Talk' },
    })
    expect(await get('chat')).toMatchObject({ name: 'chat' })
  })

  it('fails with the errors of the operation, and requires the same rights', async () => {
    const { simulate, instruct, patchVariation } = await servedChat()
    const unknown = [{ kind: 'updateOffVariation', variationId: 'none' }]
    expect(await failureOf(simulate({ instructions: unknown }))).toEqual(await failureOf(instruct('chat', unknown)))
    const patch = { modelConfigKey: 'none' }
    expect(await failureOf(simulate({ variationKey: 'a', patch }))).toEqual(
      await failureOf(patchVariation('chat', 'a', patch)),
    )
    const otherRights = editor(['updateAIConfigTargeting'], 'proj/*:env/*:aiconfig/*')
    const name = { variationKey: 'a', patch: { name: 'x' } }
    expect(await failureOf(simulate(name, otherRights))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(simulate({ configKey: 'none', instructions: [turnOn] }))).toMatchObject({
      code: 'not_found',
    })
  })

  it.each<[string, object, string]>([
    ['a variation without a patch', { variationKey: 'a', instructions: [] }, 'variationKey'],
    ['a variation of a flag', { configKey: undefined, flagKey: 'f', variationKey: 'a', patch: [] }, 'variationKey'],
    ['two resources', { flagKey: 'f', instructions: [] }, 'configKey'],
    ['a scheduled change', { scheduledChangeId: 'x' }, 'scheduledChangeId'],
  ])('is rejected with the name of the property: %s', async (_, change, attribute) => {
    const { simulate } = await withoutTargeting
    expect((await validationErrorsOf(simulate(change))).map((error) => error.attribute)).toContain(attribute)
  })
})

const withoutTargeting = servedChat()

it('a simulated change of a segment lists the AI configs with the segment in a rule', async () => {
  const { engine, as, b } = await servedChat()
  const change = { ...environmentKeys, segmentKey: 'staff', contexts }
  const instructions = [{ kind: 'addIncludedUsers', values: ['bob'] }] as const
  expect(await engine.simulate({ ...change, instructions }, { as })).toMatchObject({
    changed: 1,
    flags: [],
    aiConfigs: [
      {
        key: 'chat',
        name: 'chat',
        changed: 1,
        contexts: [{ index: 1, after: { variationId: b } }],
        why: { after: expect.stringContaining('segment staff: in') },
      },
    ],
  })
})

it('an engine without AI evaluation simulates a change of an AI config, and serves no value', async () => {
  const { storage } = await servedChat()
  const operations = [...projects.operations, ...environments.operations, ...aiConfigs.operations]
  const engine = createEngineOf({ operations, simulator })({ storage, clock: () => 0 })
  const simulation = await engine.simulate({ ...chat, contexts, instructions: [turnOn] }, { as: { role: 'owner' } })
  expect(simulation.contexts).toMatchObject(contexts.map(() => ({ changed: false, before: { variationIndex: null } })))
})
