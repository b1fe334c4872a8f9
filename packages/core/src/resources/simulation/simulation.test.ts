import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import {
  type AccountStorage,
  type As,
  createEngine,
  createEngineOf,
  flagOperations,
  listFlags,
  type Storage,
  simulator,
} from '../../index.ts'
import { approvalProject, permitted, turnOn } from '../approval-requests/test/approval-project.ts'
import { allow, clause, failureOf, faultOf, start } from '../flags/test/flag-project.ts'

const place = { projectKey: 'web', environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann', email: 'ann@example.com' }
const bob = { kind: 'user', key: 'bob', email: 'bob@elsewhere.org' }
const contexts = [ann, bob]
const [yes, no] = [true, false]

/** Flag `f`, which is off, flag `g`, which waits for it, and a webhook that is told when flags are turned on. */
async function project() {
  const made = await approvalProject()
  const { engine, api, as, create, instruct } = made
  const ids = (await create('f')).variations.map(({ _id }) => _id) as [string, string]
  await create('g')
  await instruct('g', [turnOn, { kind: 'addPrerequisite', key: 'f', variationId: ids[0] }])
  const statements = [
    { effect: 'allow' as const, resources: ['proj/*:env/production:flag/f'], actions: ['updateOn'] },
    { effect: 'allow' as const, resources: ['proj/*:env/*:flag/*'], actions: ['updateRules'] },
  ]
  const hook = {
    name: 'Chat',
    url: 'https://chat.example.com:8443/hook?token=geheim',
    statements,
    on: true,
    sign: true,
  }
  const webhook = await api.createWebhook({ body: { ...hook, secret: 'a-secret-that-is-long-enough' } }, { as })
  const simulate = (instructions: readonly object[], more: object = {}, by: As = as) =>
    engine.simulate({ ...place, flagKey: 'f', instructions, contexts, ...more } as never, { as: by })
  return { ...made, ids, webhook, statements, simulate }
}

describe('the simulation of a change of a flag', () => {
  it('tells for which contexts the variation changes and why, and what else has to do with it', async () => {
    const { simulate, segment, ids, webhook, statements, patchSegment } = await project()
    await segment('staff')
    await patchSegment('staff', [{ kind: 'addRule', clauses: [clause()] }])
    const inStaff = { contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['staff'], negate: false }
    const told = await simulate(
      [
        turnOn,
        { kind: 'updateFallthroughVariationOrRollout', variationId: ids[1] },
        { kind: 'addRule', clauses: [inStaff], variationId: ids[0] },
      ],
      { comment: 'for us first' },
    )
    expect(told).toMatchObject({ kind: 'flag', changed: 1, migrationSafetyIssues: [], approvals: { required: false } })
    expect(told.contexts).toEqual([
      {
        context: ann,
        before: { value: no, variationIndex: 1, variationId: ids[1], reason: { kind: 'OFF' } },
        after: {
          value: yes,
          variationIndex: 0,
          variationId: ids[0],
          reason: { kind: 'RULE_MATCH', ruleIndex: 0, ruleId: expect.any(String) },
        },
        changed: true,
        why: { before: expect.stringContaining('flag f is off'), after: expect.stringContaining('segment staff: in') },
      },
      {
        context: bob,
        before: { value: no, variationIndex: 1, variationId: ids[1], reason: { kind: 'OFF' } },
        // Another reason for the same: that is no change.
        after: { value: no, variationIndex: 1, variationId: ids[1], reason: { kind: 'FALLTHROUGH' } },
        changed: false,
      },
    ])
    expect(told.segments).toEqual([
      { key: 'staff', name: 'staff', before: 1, after: 1, askedFor: { before: false, after: true } },
    ])
    expect(told.flags).toMatchObject([
      {
        key: 'g',
        changed: 1,
        contexts: [{ index: 0, before: { value: no, reason: { kind: 'PREREQUISITE_FAILED' } }, after: { value: yes } }],
        why: { before: expect.stringContaining('prerequisite f'), after: expect.stringContaining('it does') },
      },
    ])
    expect(told.webhooks).toEqual([{ _id: webhook._id, name: 'Chat', host: 'chat.example.com:8443', statements }])
    expect(JSON.stringify(told)).not.toMatch(/geheim|a-secret-that/)
    expect(told.changeLogEntry).toMatchObject({
      comment: 'for us first',
      target: {
        resources: ['flag/f', 'segment/staff']
          .map((one) => `proj/web:env/production:${one}`)
          .concat('proj/web:env/*:flag/f'),
      },
    })
    expect(told.answer).toMatchObject({ key: 'f', environments: { production: { on: true } } })
  })

  it('tells which statements of a webhook select it, and says nothing of webhooks that the caller may not view', async () => {
    const { simulate, statements } = await project()
    expect((await simulate([turnOn])).webhooks.map((one) => one.statements)).toEqual([[statements[0]]])
    expect((await simulate([{ kind: 'updateName', value: 'Eff' }])).webhooks).toEqual([])
    expect((await simulate([turnOn], {}, permitted('updateOn'))).webhooks).toEqual([])
  })

  it('of what is so already says nothing', async () => {
    const { simulate } = await project()
    const told = await simulate([{ kind: 'turnFlagOff' }])
    expect(told).toMatchObject({ changed: 0, webhooks: [], changeLogEntry: undefined })
  })

  it('is that of a variation, not of its place', async () => {
    const { engine, as, create, get } = await project()
    const variations = ['a', 'b', 'c'].map((value) => ({ value }))
    await create('h', { variations, defaults: { onVariation: 0, offVariation: 2 } })
    const last = (await get('h')).variations[2]?._id
    const patch = [{ op: 'remove', path: '/variations/1' }]
    const told = await engine.simulate({ ...place, flagKey: 'h', patch, contexts: [ann] }, { as })
    expect(told.contexts[0]).toMatchObject({
      before: { value: 'c', variationIndex: 2, variationId: last },
      after: { value: 'c', variationIndex: 1, variationId: last },
      changed: false,
    })
  })

  it('is answered as the operation answers, and tells nobody what they may not do', async () => {
    const { simulate, instruct, engine, as } = await project()
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
    expect((await failureOf(engine.simulate({ ...place, flagKey: 'f', instructions: [] }))).code).toBe('unauthorized')
    const nowhere = { flagKey: 'f', instructions: [], projectKey: 'web' }
    for (const more of [{ flagKey: 'none' }, { projectKey: 'none' }]) {
      const call = engine.simulate({ ...place, ...nowhere, ...more }, { as })
      expect((await failureOf(call)).code).toBe('not_found')
    }
    const elsewhere = { ...place, environmentKey: 'none', flagKey: 'f', patch: [] }
    expect((await failureOf(engine.simulate(elsewhere, { as }))).code).toBe('not_found')
  })

  it('tells of a migration what its own operation tells', async () => {
    const { create, engine, api, as } = await project()
    const { variations } = await create('m', {
      purpose: 'migration',
      migrationSettings: { stageCount: 6, contextKind: 'org' },
    })
    const live = variations.find(({ value }) => value === 'live')?._id as string
    const acme = clause({ contextKind: 'org', attribute: 'key', op: 'in', values: ['acme'] })
    const served = { rolloutWeights: { [live]: 100_000 }, rolloutContextKind: 'org' }
    const instructions = [{ kind: 'addRule', clauses: [acme], description: 'Acme', ...served }] as never[]
    const { migrationSafetyIssues } = await engine.simulate({ ...place, flagKey: 'm', instructions }, { as })
    const asked = await api.postMigrationSafetyIssues({ ...place, flagKey: 'm', body: { instructions } }, { as })
    // The new rule has another id each time.
    const told = (issues: typeof migrationSafetyIssues) => issues.map(({ causingRuleId, ...issue }) => issue)
    expect(told(migrationSafetyIssues)).toEqual(told(asked))
    expect(asked.length).toBeGreaterThan(0)
  })
})

describe('the simulation of a change of a segment', () => {
  it('tells who enters and leaves, and what that does to flags, however far away', async () => {
    const { engine, as, segment, target, patchSegment, instruct } = await project()
    for (const key of ['staff', 'testers']) await segment(key)
    const isStaff = { contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['staff'], negate: false }
    await patchSegment('testers', [{ kind: 'addRule', clauses: [isStaff] }])
    await target('f', 'testers')
    const [, f] = (await engine.api.getFlag({ projectKey: 'web', featureFlagKey: 'f' }, { as })).variations
    await instruct('f', [turnOn, { kind: 'updateFallthroughVariationOrRollout', variationId: f?._id }])
    const instructions = [{ kind: 'addIncludedUsers', values: ['bob'] }] as const
    const told = await engine.simulate({ ...place, segmentKey: 'staff', instructions, contexts }, { as })
    expect(told).toMatchObject({
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
        { key: 'f', changed: 1, contexts: [{ index: 1, before: { value: no }, after: { value: yes } }] },
        { key: 'g', changed: 1, contexts: [{ index: 1, before: { value: no }, after: { value: yes } }] },
      ],
    })
    expect(told.flags[0]?.why?.after).toContain('segment staff: in, its lists name the context')
  })

  it('sees the keys of big segments, also where it becomes one and where an import waits', async () => {
    const { engine, api, as, segment } = await project()
    const key = 'crowd'
    await segment(key)
    const simulated = async (change: object) => {
      const told = await engine.simulate({ ...place, segmentKey: key, contexts, ...change } as never, { as })
      return told.contexts.map(({ after }) => (after as unknown as { readonly member: boolean }).member)
    }
    const included = ['ann', ...Array.from({ length: 15_000 }, (_, i) => `user-${i}`)]
    const growth = { patch: [{ op: 'replace', path: '/included', value: included }] }
    expect(await simulated(growth)).toEqual([true, false])
    await api.patchSegment({ ...place, segmentKey: key, body: growth.patch }, { as })
    expect(await simulated({ instructions: [{ kind: 'addBigSegmentIncludedTargets', values: ['bob'] }] })).toEqual([
      true,
      true,
    ])
    expect(await simulated({ instructions: [{ kind: 'removeBigSegmentIncludedTargets', values: ['ann'] }] })).toEqual([
      false,
      false,
    ])
    const body = { file: 'key\nbob\n', mode: 'replace', waitOnApprovals: true } as const
    const before = await api.getSegment({ ...place, segmentKey: key }, { as })
    await api.createBigSegmentImport({ ...place, segmentKey: key, body }, { as })
    const waiting = await api.getSegment({ ...place, segmentKey: key }, { as })
    expect(waiting._unboundedMetadata).toEqual(before._unboundedMetadata)
    const importId = await importOf(engine.export())
    expect(await simulated({ instructions: [{ kind: 'processBigSegmentImport', importId }] })).toEqual([false, true])
  })
})

/** Id of the only import in a back-up. */
async function importOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return /segment-import\/([\w-]+)/.exec(text)?.[1] ?? /"segment-import"[^\n]*?"key":"([\w-]+)"/.exec(text)?.[1] ?? ''
}

describe('what a change needs', () => {
  it('says that it needs approval, and tells the rest as if it had it', async () => {
    const { simulate, settings, instruct } = await project()
    const { approvals, ...free } = await simulate([turnOn])
    expect(approvals).toEqual({ required: false })
    await settings({ required: true })
    expect(await simulate([turnOn])).toEqual({ ...free, approvals: expect.objectContaining({ required: true }) })
    const told = await simulate([turnOn], {}, permitted('updateOn'))
    const { message } = await failureOf(instruct('f', [turnOn]))
    expect(told).toMatchObject({ approvals: { required: true, why: message }, changed: 2 })
    expect(told.changeLogEntry?.accesses).toEqual([{ action: 'updateOn', resource: 'proj/web:env/production:flag/f' }])
    // What nobody could approve is refused all the same.
    expect((await failureOf(simulate([turnOn], {}, permitted('updateRules')))).code).toBe('forbidden')
    expect(
      (await faultOf(simulate([{ kind: 'updateRuleDescription', ruleId: 'none', description: 'x' }]))).attribute,
    ).toContain('instructions.0')
  })

  it('asks to do without only for those who may', async () => {
    const { simulate, settings } = await project()
    await settings({ required: true })
    const bypassing = { bypassRequiredApproval: true }
    expect((await failureOf(simulate([turnOn], bypassing, permitted('updateOn')))).code).toBe('forbidden')
    const told = await simulate([turnOn], bypassing, permitted('updateOn', 'bypassRequiredApproval'))
    expect(told.approvals.required).toBe(true)
    expect(told.changeLogEntry?.accesses.map(({ action }) => action)).toContain('bypassRequiredApproval')
  })
})

describe('changes that wait', () => {
  it('are told by the id of an approval request, about flags and segments, as the caller would make them', async () => {
    const { engine, as, request, settings, segment, instruct, simulate } = await project()
    await segment('staff')
    await settings({ required: true })
    const { _id: approvalRequestId } = await request('proj/web:env/production:flag/f')
    const told = await engine.simulate({ approvalRequestId, contexts }, { as })
    const { comment, ...entry } = told.changeLogEntry ?? {}
    expect(comment).toBe('Launch it')
    expect({ ...told, changeLogEntry: entry }).toEqual(await simulate([turnOn]))
    expect((await failureOf(engine.simulate({ approvalRequestId }, { as: permitted('updateRules') }))).code).toBe(
      'forbidden',
    )
    expect((await failureOf(engine.simulate({ approvalRequestId }, { as: { policy: [] } }))).code).toBe('not_found')
    const other = await request('proj/web:env/production:segment/staff', [
      { kind: 'addIncludedUsers', values: ['bob'] },
    ])
    expect(await engine.simulate({ approvalRequestId: other._id, contexts }, { as })).toMatchObject({
      kind: 'segment',
      changed: 1,
    })
    await settings({ required: false })
    await instruct('f', [turnOn])
    expect((await faultOf(engine.simulate({ approvalRequestId }, { as }))).attribute).toBe('instructions.0')
  })

  it('are told by the id of a scheduled change', async () => {
    const { engine, api, as, simulate } = await project()
    const body = { instructions: [turnOn], executionDate: start + 1000, comment: 'at ten' } as never
    const { _id } = await api.createScheduledChange({ ...place, featureFlagKey: 'f', body }, { as })
    const told = await engine.simulate({ ...place, flagKey: 'f', scheduledChangeId: _id, contexts }, { as })
    expect(told).toEqual(await simulate([turnOn], { comment: 'at ten' }))
    const missing = engine.simulate({ ...place, flagKey: 'f', scheduledChangeId: 'none' }, { as })
    expect((await failureOf(missing)).code).toBe('not_found')
  })
})

describe('bad input', () => {
  const flag = { ...place, flagKey: 'f' }
  it.each<[string, object, string]>([
    ['no change', flag, 'instructions'],
    ['two changes', { ...flag, instructions: [], patch: [] }, 'patch'],
    ['nothing that is changed', { ...place, instructions: [] }, 'flagKey'],
    ['two things', { ...flag, segmentKey: 's', instructions: [] }, 'segmentKey'],
    ['no environment', { projectKey: 'web', flagKey: 'f', instructions: [] }, 'environmentKey'],
    ['what nobody knows', { ...flag, instructions: [], contexts: [], colour: 1 }, 'colour'],
    ['what is no key', { ...flag, flagKey: 'a b', instructions: [] }, 'flagKey'],
    ['what is no context', { ...flag, instructions: [], contexts: [ann, { kind: 'user' }] }, 'contexts.1'],
    ['no list of contexts', { ...flag, instructions: [], contexts: ann }, 'contexts'],
    ['a scheduled change of a segment', { ...place, segmentKey: 's', scheduledChangeId: 'x' }, 'scheduledChangeId'],
    ['a comment beside one', { ...flag, scheduledChangeId: 'x', comment: 'why' }, 'comment'],
    ['a place beside a request', { approvalRequestId: 'x', projectKey: 'web' }, 'projectKey'],
  ])('is refused by name: %s', async (_, input, attribute) => {
    const { engine, as } = await shared
    expect((await faultOf(engine.simulate(input as never, { as }))).attribute).toBe(attribute)
  })

  it('is more than 1,000 contexts, or fewer where very much hangs on the change', async () => {
    const { engine, as, account } = await project()
    const flagWith = (count: number) => ({
      ...flag,
      instructions: [],
      contexts: Array.from({ length: count }, (_, i) => ({ kind: 'user', key: `user-${i}` })),
    })
    expect((await engine.simulate(flagWith(1_000), { as })).contexts).toHaveLength(1_000)
    expect(await faultOf(engine.simulate(flagWith(1_001), { as }))).toMatchObject({ attribute: 'contexts' })
    await copyFlag(account, 'g', 1_998)
    expect((await engine.simulate(flagWith(1), { as })).flags).toHaveLength(1_999)
    expect(await faultOf(engine.simulate(flagWith(501), { as }))).toMatchObject({
      attribute: 'contexts',
      reason: expect.stringContaining('at most 500 contexts'),
    })
  })
})

const shared = project()

/** Puts copies of a flag and its configurations beside it, as they are stored. */
async function copyFlag(account: AccountStorage, key: string, count: number): Promise<void> {
  for await (const records of account.dump()) {
    for (const record of records) {
      if (record.kind !== 'document' || record.id.key !== key) continue
      const { id, body, fields } = record
      const copies = Array.from({ length: count }, (_, i) => ({
        do: 'insert' as const,
        id: { ...id, key: `${key}-${i}` },
        body: { ...(body as object), ...('key' in (body as object) ? { key: `${key}-${i}` } : {}) },
        fields,
      }))
      await account.commit(copies)
    }
  }
}

describe('a simulation while others change the same thing', () => {
  /** A storage on which somebody renames flag `f` whenever all flags are read, as often as is said. */
  function disturbed(storage: Storage, times: () => boolean, rename: () => Promise<unknown>): Storage {
    const around = (account: AccountStorage): AccountStorage => ({
      ...account,
      async list(query) {
        if (query.collection === 'flag' && times()) await rename()
        return account.list(query)
      },
    })
    return { ...storage, account: (name) => around(storage.account(name)) }
  }

  it.each([
    [2, 'done'],
    [3, 'optimistic_locking_error'],
  ])('begins anew, at most twice: after %s changes it is %s', async (most, expected) => {
    const { storage, as, patch } = await project()
    let left = most
    const rename = () => patch('f', [{ op: 'replace', path: '/name', value: `name ${left}` }])
    const engine = createEngine({ storage: disturbed(storage, () => left-- > 0, rename) })
    const call = engine.simulate({ ...place, flagKey: 'f', instructions: [turnOn], contexts } as never, { as })
    const outcome = call.then(
      () => 'done',
      (error) => error.code,
    )
    expect(await outcome).toBe(expected)
  })
})

describe('an engine of chosen operations', () => {
  const change = { ...place, flagKey: 'f', instructions: [] }

  it('simulates what it can do', async () => {
    const storage = createMemoryStorage()
    const owner = { as: { role: 'owner' } } as const
    const { api } = createEngine({ storage })
    await createEngine({ storage }).bootstrap()
    await api.createProject({ body: { key: 'web', name: 'Web' } }, owner)
    await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'f' } }, owner)
    const engine = createEngineOf({ operations: flagOperations, simulator })({ storage })
    expect((await engine.simulate(change, owner)).kind).toBe('flag')
    const request = engine.simulate({ approvalRequestId: 'x' }, owner)
    expect((await failureOf(request)).message).toBe('getApprovalRequest: this engine was made without it')
  })

  it('simulates nothing without a simulator', async () => {
    const engine = createEngineOf({ operations: [listFlags] })({ storage: createMemoryStorage() })
    await expect(engine.simulate(change, { as: { role: 'owner' } })).rejects.toThrow('made without')
  })
})
