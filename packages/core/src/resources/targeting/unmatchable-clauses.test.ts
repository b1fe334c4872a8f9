import { describe, expect, it } from 'vitest'
import { environmentKeys, failureOf, segmentAccount } from '../segments/test/segment-account.ts'
import { clause } from './test/clause.ts'

const aiConfigKeys = { projectKey: 'web', configKey: 'assistant' }

/** Creates a flag, a segment and an AI config, each with a rule; returns every way to add a clause to one of them. */
async function ways() {
  const account = await segmentAccount()
  const { api, as, create, engine, instruct, patch, get } = account
  await create('beta')
  await instruct('beta', [{ kind: 'addRule', clauses: [clause()] }])
  const [segmentRule] = (await get('beta')).rules
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  const flagKeys = { projectKey: 'web', flagKey: 'checkout' }
  const patchFlag = (body: unknown) => api.patchFlag({ ...flagKeys, body: body as never }, { as })
  const semantic = (...instructions: object[]) => ({ environmentKey: 'production', instructions })
  const flag = await api.getFlag(flagKeys, { as })
  const variationId = flag.variations[0]?._id
  await patchFlag(semantic({ kind: 'addRule', clauses: [clause()], variationId }))
  const config = (await api.getFlag(flagKeys, { as })).environments?.production
  const [flagRule] = config?.rules ?? []
  const rulesPath = '/environments/production/rules/-'
  const [ruleId, clauseId] = [flagRule?._id, flagRule?.clauses[0]?._id]
  const [segmentRuleId, segmentClauseId] = [segmentRule?._id, segmentRule?.clauses[0]?._id]
  await api.createAIConfig({ projectKey: 'web', body: { key: 'assistant', name: 'Assistant' } as never }, { as })
  const configTargeting = (...instructions: object[]) =>
    api.patchAIConfigTargeting({ ...aiConfigKeys, body: semantic(...instructions) as never }, { as })
  const simulate = (part: object) => engine.simulate({ ...environmentKeys, ...part, contexts: [] } as never, { as })
  type Bad = ReturnType<typeof clause>
  return {
    account,
    callsWith: (bad: Bad): Readonly<Record<string, () => Promise<unknown>>> => ({
      'a rule of a flag in a JSON Patch': () =>
        patchFlag([{ op: 'add', path: rulesPath, value: { clauses: [clause(), bad], variation: 0 } }]),
      'addRule of a flag': () => patchFlag(semantic({ kind: 'addRule', clauses: [clause(), bad], variationId })),
      'replaceRules of a flag': () =>
        patchFlag(semantic({ kind: 'replaceRules', rules: [{ clauses: [bad], variationId }] })),
      'addClauses of a flag': () => patchFlag(semantic({ kind: 'addClauses', ruleId, clauses: [bad] })),
      'updateClause of a flag': () => patchFlag(semantic({ kind: 'updateClause', ruleId, clauseId, clause: bad })),
      'a rule of a segment in a JSON Patch': () =>
        patch('beta', [{ op: 'add', path: '/rules/-', value: { clauses: [bad] } }]),
      'addRule of a segment': () => instruct('beta', [{ kind: 'addRule', clauses: [bad] }]),
      'addClauses of a segment': () =>
        instruct('beta', [{ kind: 'addClauses', ruleId: segmentRuleId, clauses: [bad] }]),
      'updateClause of a segment': () =>
        instruct('beta', [{ kind: 'updateClause', ruleId: segmentRuleId, clauseId: segmentClauseId, clause: bad }]),
      'addRule of an AI config': () => configTargeting({ kind: 'addRule', clauses: [bad], variationId: 'any' }),
      'a simulated change of a flag': () =>
        simulate({ flagKey: 'checkout', instructions: [{ kind: 'addRule', clauses: [bad], variationId }] }),
      'a simulated change of a segment': () =>
        simulate({ segmentKey: 'beta', instructions: [{ kind: 'addRule', clauses: [bad] }] }),
    }),
    valuesCalls: {
      'addValuesToClause of a flag': () =>
        patchFlag(semantic({ kind: 'addValuesToClause', ruleId, clauseId, values: [5] })),
      'removeValuesFromClause of a flag': () =>
        patchFlag(semantic({ kind: 'removeValuesFromClause', ruleId, clauseId, values: ['@example.com'] })),
      'addValuesToClause of a segment': () =>
        instruct('beta', [
          { kind: 'addValuesToClause', ruleId: segmentRuleId, clauseId: segmentClauseId, values: [5] },
        ]),
    } as Readonly<Record<string, () => Promise<unknown>>>,
    stateOf: async () => [await get('beta'), await api.getFlag(flagKeys, { as })],
  }
}

describe.each([
  ['matches', ['(']],
  ['before', ['not a date']],
  ['semVerEqual', ['x.y']],
  ['lessThan', ['5']],
  ['segmentMatch', [5]],
  ['in', []],
])('a clause %s %j, which no context can match', (op, values) => {
  it('is rejected by every operation that can add a clause, with its position, and changes nothing', async () => {
    const { callsWith, stateOf } = await ways()
    const before = await stateOf()
    for (const [name, call] of Object.entries(callsWith(clause({ op, values })))) {
      const { code, errors } = await failureOf(call())
      expect([name, code]).toEqual([name, 'invalid_request'])
      expect(errors?.map(({ attribute, reason }) => `${attribute} ${reason}`).join(), name).toMatch(
        /clauses?(\.\d)? must have .* in values/,
      )
    }
    expect(await stateOf()).toEqual(before)
  })
})

it('values that no context can match are rejected, and so is the removal of the last value', async () => {
  const { stateOf, valuesCalls } = await ways()
  const before = await stateOf()
  for (const [name, call] of Object.entries(valuesCalls)) {
    expect([name, await failureOf(call())]).toMatchObject([
      name,
      { code: 'invalid_request', errors: [{ attribute: 'instructions.0.values' }] },
    ])
  }
  expect(await stateOf()).toEqual(before)
})

it('a negated clause is accepted, because contexts with the attribute match it', async () => {
  const { account } = await ways()
  const negated = clause({ op: 'matches', values: ['('], negate: true })
  expect(await account.instruct('beta', [{ kind: 'addRule', clauses: [negated] }])).toMatchObject({ version: 3 })
})

it('a clause without a context kind is rejected for segmentMatch as well', async () => {
  const { account } = await ways()
  const withoutKind = clause({ attribute: '', op: 'segmentMatch', values: ['beta'], contextKind: '' })
  const failure = await failureOf(account.instruct('beta', [{ kind: 'addRule', clauses: [withoutKind] }]))
  expect(failure.errors).toMatchObject([{ attribute: 'instructions.0.clauses.0.contextKind' }])
})

it('a stored clause of an earlier version does not prevent other patches', async () => {
  const { account } = await ways()
  const { patch, storage } = account
  const id = { collection: 'segment', scope: 'proj/web:env/production', key: 'beta' }
  const { body, version = 0 } = (await storage.get(id)) ?? {}
  const old = { _id: 'old', clauses: [clause({ _id: 'c', op: 'matches', values: ['('] })] }
  const stored = { ...(body as object), rules: [old], version: version + 1 }
  await storage.commit([{ do: 'replace', id, version, body: stored, fields: {} }])
  const added = { op: 'add', path: '/rules/0', value: { clauses: [clause()] } }
  expect(await patch('beta', [added])).toMatchObject({ rules: [{}, old] })
  const another = { clauses: [{ ...old.clauses[0], _id: 'd' }] }
  expect(await failureOf(patch('beta', [{ ...added, value: another }]))).toMatchObject({
    errors: [{ attribute: 'rules.0.clauses.0' }],
  })
})
