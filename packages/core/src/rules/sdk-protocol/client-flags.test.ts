import { expect, it } from 'vitest'
import { compileRuleset, evaluateAll, type FlagData } from '../evaluation/index.ts'
import { clientFlags } from './client-flags.ts'

const ann = { kind: 'user', key: 'ann' }
const isAnn = [{ attribute: 'key', op: 'in', values: ['ann'], contextKind: 'user' }]
const base: FlagData = { key: 'f', version: 7, on: true, variations: ['a', 'b'], fallthrough: { variation: 1 } }
const experiment = {
  rollout: { kind: 'experiment', contextKind: 'user', seed: 1, variations: [{ variation: 0, weight: 100_000 }] },
}

function clientFlagOf(flag: Partial<FlagData>, reasons = false) {
  const ruleset = compileRuleset({ flags: [{ ...base, ...flag }] })
  return clientFlags(ruleset, evaluateAll(ruleset, ann), { reasons }).f
}

const plainFlag = { value: 'b', variation: 1, version: 7, flagVersion: 7, trackEvents: false }

it('clientFlags returns value, variation and version of a flag', () => {
  expect(clientFlagOf({})).toEqual(plainFlag)
  expect(clientFlagOf({ trackEvents: true })).toEqual({ ...plainFlag, trackEvents: true })
  expect(clientFlagOf({ debugEventsUntilDate: 5 })).toEqual({ ...plainFlag, debugEventsUntilDate: 5 })
  expect(clientFlagOf({}, true)).toEqual({ ...plainFlag, reason: { kind: 'FALLTHROUGH' } })
})

it("clientFlags returns null for a flag without a value, so that the SDK uses the caller's default", () => {
  expect(clientFlagOf({ on: false })).toEqual({ ...plainFlag, value: null, variation: null })
})

it('clientFlags includes the reason of a tracked evaluation even if reasons are not requested', () => {
  const tracked = { trackEvents: true, trackReason: true }
  const inExperiment = { kind: 'FALLTHROUGH', inExperiment: true }
  expect(clientFlagOf({ fallthrough: experiment })).toEqual({
    ...plainFlag,
    value: 'a',
    variation: 0,
    ...tracked,
    reason: inExperiment,
  })
  expect(clientFlagOf({ trackEventsFallthrough: true })).toEqual({
    ...plainFlag,
    ...tracked,
    reason: { kind: 'FALLTHROUGH' },
  })
  const rule = { id: 'r', clauses: isAnn, variation: 0, trackEvents: true }
  expect(clientFlagOf({ rules: [rule] })).toMatchObject({
    value: 'a',
    ...tracked,
    reason: { kind: 'RULE_MATCH', ruleId: 'r' },
  })
  expect(clientFlagOf({ rules: [{ ...rule, trackEvents: false }] })).toEqual({ ...plainFlag, value: 'a', variation: 0 })
})
