import { describe, expect, it } from 'vitest'
import { permitted, turnOn } from '../approval-requests/test/approval-project.ts'
import { allow, clause, failureOf } from '../flags/test/flag-project.ts'
import { ann, bob, contexts, environmentKeys, simulatedProject } from './test/simulated-project.ts'

const [on, off] = [true, false]

describe('the simulation of a change of a flag', () => {
  it('returns the contexts whose variation changes with explanations, and all related resources', async () => {
    const { simulate, segment, ids, webhook, statements, patchSegment } = await simulatedProject()
    await segment('staff')
    await patchSegment('staff', [{ kind: 'addRule', clauses: [clause()] }])
    const inStaff = { contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['staff'], negate: false }
    const simulation = await simulate(
      [
        turnOn,
        { kind: 'updateFallthroughVariationOrRollout', variationId: ids[1] },
        { kind: 'addRule', clauses: [inStaff], variationId: ids[0] },
      ],
      { comment: 'for us first' },
    )
    expect(simulation).toMatchObject({
      kind: 'flag',
      changed: 1,
      migrationSafetyIssues: [],
      approvals: { required: false },
    })
    expect(simulation.contexts).toEqual([
      {
        context: ann,
        before: { value: off, variationIndex: 1, variationId: ids[1], reason: { kind: 'OFF' } },
        after: {
          value: on,
          variationIndex: 0,
          variationId: ids[0],
          reason: { kind: 'RULE_MATCH', ruleIndex: 0, ruleId: expect.any(String) },
        },
        changed: true,
        why: { before: expect.stringContaining('flag f is off'), after: expect.stringContaining('segment staff: in') },
      },
      {
        context: bob,
        before: { value: off, variationIndex: 1, variationId: ids[1], reason: { kind: 'OFF' } },
        // A different reason for the same variation is not a change.
        after: { value: off, variationIndex: 1, variationId: ids[1], reason: { kind: 'FALLTHROUGH' } },
        changed: false,
      },
    ])
    expect(simulation.segments).toEqual([
      { key: 'staff', name: 'staff', before: 1, after: 1, referenced: { before: false, after: true } },
    ])
    expect(simulation.flags).toMatchObject([
      {
        key: 'g',
        changed: 1,
        contexts: [{ index: 0, before: { value: off, reason: { kind: 'PREREQUISITE_FAILED' } }, after: { value: on } }],
        why: { before: expect.stringContaining('prerequisite f'), after: expect.stringContaining('it does') },
      },
    ])
    expect(simulation.webhooks).toEqual([{ _id: webhook._id, name: 'Chat', host: 'chat.example.com:8443', statements }])
    expect(JSON.stringify(simulation)).not.toMatch(/geheim|a-secret-that/)
    expect(simulation.changeLogEntry).toMatchObject({
      comment: 'for us first',
      target: {
        resources: ['flag/f', 'segment/staff']
          .map((item) => `proj/web:env/production:${item}`)
          .concat('proj/web:env/*:flag/f'),
      },
    })
    expect(simulation.answer).toMatchObject({ key: 'f', environments: { production: { on: true } } })
  })

  it('returns the statements of webhooks that select it, only for webhooks that the caller may view', async () => {
    const { simulate, statements } = await simulatedProject()
    expect((await simulate([turnOn])).webhooks.map((item) => item.statements)).toEqual([[statements[0]]])
    expect((await simulate([{ kind: 'updateName', value: 'Eff' }])).webhooks).toEqual([])
    expect((await simulate([turnOn], {}, permitted('updateOn'))).webhooks).toEqual([])
  })

  it('without effect has no webhooks and no change log entry', async () => {
    const { simulate } = await simulatedProject()
    const simulation = await simulate([{ kind: 'turnFlagOff' }])
    expect(simulation).toMatchObject({ changed: 0, webhooks: [], changeLogEntry: undefined })
  })

  it('compares variations by id, not by index', async () => {
    const { engine, as, create, get } = await simulatedProject()
    const variations = ['a', 'b', 'c'].map((value) => ({ value }))
    await create('h', { variations, defaults: { onVariation: 0, offVariation: 2 } })
    const lastId = (await get('h')).variations[2]?._id
    const patch = [{ op: 'remove', path: '/variations/1' }]
    const simulation = await engine.simulate({ ...environmentKeys, flagKey: 'h', patch, contexts: [ann] }, { as })
    expect(simulation.contexts[0]).toMatchObject({
      before: { value: 'c', variationIndex: 2, variationId: lastId },
      after: { value: 'c', variationIndex: 1, variationId: lastId },
      changed: false,
    })
  })

  it('fails with the errors of the operation, and requires the same rights', async () => {
    const { simulate, instruct, engine, as } = await simulatedProject()
    for (const instructions of [
      [{ kind: 'noSuchKind' }],
      [{ kind: 'updateRuleDescription', ruleId: 'none', description: 'x' }],
    ]) {
      expect(await failureOf(simulate(instructions))).toEqual(await failureOf(instruct('f', instructions)))
    }
    expect((await failureOf(simulate([turnOn], {}, permitted('updateRules')))).code).toBe('forbidden')
    expect(
      (await failureOf(simulate([turnOn], {}, { policy: [allow(['updateOn'], ['proj/*:env/*:flag/*'])] }))).code,
    ).toBe('forbidden')
    expect(
      (await failureOf(engine.simulate({ ...environmentKeys, flagKey: 'f', instructions: [] }, { as: 'no-token' })))
        .code,
    ).toBe('unauthorized')
    const nowhere = { flagKey: 'f', instructions: [], projectKey: 'web' }
    for (const unknownKeys of [{ flagKey: 'none' }, { projectKey: 'none' }]) {
      const call = engine.simulate({ ...environmentKeys, ...nowhere, ...unknownKeys }, { as })
      expect((await failureOf(call)).code).toBe('not_found')
    }
    const elsewhere = { ...environmentKeys, environmentKey: 'none', flagKey: 'f', patch: [] }
    expect((await failureOf(engine.simulate(elsewhere, { as }))).code).toBe('not_found')
  })

  it('returns the same migration issues as postMigrationSafetyIssues', async () => {
    const { create, engine, api, as } = await simulatedProject()
    const { variations } = await create('m', {
      purpose: 'migration',
      migrationSettings: { stageCount: 6, contextKind: 'org' },
    })
    const liveId = variations.find(({ value }) => value === 'live')?._id as string
    const acmeClause = clause({ contextKind: 'org', attribute: 'key', op: 'in', values: ['acme'] })
    const served = { rolloutWeights: { [liveId]: 100_000 }, rolloutContextKind: 'org' }
    const instructions = [{ kind: 'addRule', clauses: [acmeClause], description: 'Acme', ...served }] as never[]
    const { migrationSafetyIssues } = await engine.simulate({ ...environmentKeys, flagKey: 'm', instructions }, { as })
    const issues = await api.postMigrationSafetyIssues(
      { ...environmentKeys, flagKey: 'm', body: { instructions } },
      { as },
    )
    // The new rule has a different id in each simulation.
    const simulation = (issues: typeof migrationSafetyIssues) => issues.map(({ causingRuleId, ...issue }) => issue)
    expect(simulation(migrationSafetyIssues)).toEqual(simulation(issues))
    expect(issues.length).toBeGreaterThan(0)
  })
})

describe('the simulation of a change of a segment', () => {
  it('returns the contexts that enter or leave, and all flags that depend on the segment', async () => {
    const { engine, as, segment, target, patchSegment, instruct } = await simulatedProject()
    for (const key of ['staff', 'testers']) await segment(key)
    const isStaff = { contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['staff'], negate: false }
    await patchSegment('testers', [{ kind: 'addRule', clauses: [isStaff] }])
    await target('f', 'testers')
    const [, f] = (await engine.api.getFlag({ projectKey: 'web', flagKey: 'f' }, { as })).variations
    await instruct('f', [turnOn, { kind: 'updateFallthroughVariationOrRollout', variationId: f?._id }])
    const instructions = [{ kind: 'addIncludedUsers', values: ['bob'] }] as const
    const simulation = await engine.simulate(
      { ...environmentKeys, segmentKey: 'staff', instructions, contexts },
      { as },
    )
    expect(simulation).toMatchObject({
      kind: 'segment',
      changed: 1,
      contexts: [
        { context: ann, before: { member: false }, after: { member: false }, changed: false },
        { context: bob, before: { member: false }, after: { member: true }, changed: true },
      ],
      segments: [
        { key: 'staff', before: 0, after: 1 },
        { key: 'testers', before: 0, after: 1 },
      ],
      flags: [
        { key: 'f', changed: 1, contexts: [{ index: 1, before: { value: off }, after: { value: on } }] },
        { key: 'g', changed: 1, contexts: [{ index: 1, before: { value: off }, after: { value: on } }] },
      ],
    })
    expect(simulation.flags[0]?.why?.after).toContain('segment staff: in, its lists name the context')
  })

  it('includes the keys of big segments, also when a segment becomes big and when an import is waiting', async () => {
    const { engine, api, as, segment } = await simulatedProject()
    const key = 'crowd'
    await segment(key)
    const membershipsAfter = async (change: object) => {
      const simulation = await engine.simulate({ ...environmentKeys, segmentKey: key, contexts, ...change } as never, {
        as,
      })
      return simulation.contexts.map(({ after }) => (after as unknown as { readonly member: boolean }).member)
    }
    const included = ['ann', ...Array.from({ length: 15_000 }, (_, i) => `user-${i}`)]
    const growth = { patch: [{ op: 'replace', path: '/included', value: included }] }
    expect(await membershipsAfter(growth)).toEqual([true, false])
    await api.patchSegment({ ...environmentKeys, segmentKey: key, body: growth.patch }, { as })
    expect(
      await membershipsAfter({ instructions: [{ kind: 'addBigSegmentIncludedTargets', values: ['bob'] }] }),
    ).toEqual([true, true])
    expect(
      await membershipsAfter({ instructions: [{ kind: 'removeBigSegmentIncludedTargets', values: ['ann'] }] }),
    ).toEqual([false, false])
    const body = { file: 'key\nbob\n', mode: 'replace', waitOnApprovals: true } as const
    const before = await api.getSegment({ ...environmentKeys, segmentKey: key }, { as })
    await api.createBigSegmentImport({ ...environmentKeys, segmentKey: key, body }, { as })
    const waiting = await api.getSegment({ ...environmentKeys, segmentKey: key }, { as })
    expect(waiting._unboundedMetadata).toEqual(before._unboundedMetadata)
    const importId = await importOf(engine.export())
    expect(await membershipsAfter({ instructions: [{ kind: 'processBigSegmentImport', importId }] })).toEqual([
      false,
      true,
    ])
  })
})

/** Returns the id of the only import in a back-up. */
async function importOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return /segment-import\/([\w-]+)/.exec(text)?.[1] ?? /"segment-import"[^\n]*?"key":"([\w-]+)"/.exec(text)?.[1] ?? ''
}
