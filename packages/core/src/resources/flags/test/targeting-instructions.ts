import { clause, start } from './flag-project.ts'
import { anyId, type InstructionCase } from './instruction-case.ts'
import { org, type PaintedFlag, r1, r2, stored, user } from './painted-flag.ts'

const newRule = (clauses: readonly object[], rest: object) => ({
  _id: anyId,
  trackEvents: false,
  clauses: clauses.map((item) => ({ ...item, _id: anyId })),
  ...rest,
})
const half = (flag: PaintedFlag) => ({ [flag.red]: 50_000, [flag.blue]: 50_000 })
const halves = [
  { variation: 0, weight: 50_000 },
  { variation: 2, weight: 50_000 },
]

const firstStage = {
  rollout: {
    variations: [
      { variation: 0, weight: 25_000 },
      { variation: 2, weight: 75_000 },
    ],
    contextKind: 'user',
  },
}

/** Instructions that change the configuration of an environment. */
export const targetingInstructions: readonly InstructionCase[] = [
  { kind: 'turnFlagOn', expectedOf: () => ({ config: { on: true } }) },
  { kind: 'turnFlagOff', first: () => [{ kind: 'turnFlagOn' }], expectedOf: () => ({ config: { on: false } }) },
  {
    kind: 'addClauses',
    with: () => ({ ruleId: 'r2', clauses: [clause({ negate: true })] }),
    expectedOf: () => ({
      config: { rules: [r1, { ...r2, clauses: [...r2.clauses, { ...clause({ negate: true }), _id: anyId }] }] },
    }),
  },
  {
    kind: 'addClauses',
    note: 'with the kind user and without negation by default',
    with: () => ({ ruleId: 'r2', clauses: [{ attribute: 'email', op: 'endsWith', values: ['@example.com'] }] }),
    expectedOf: () => ({ config: { rules: [r1, { ...r2, clauses: [...r2.clauses, { ...clause(), _id: anyId }] }] } }),
  },
  {
    kind: 'addPrerequisite',
    with: (flag) => ({ key: 'other', variationId: flag.other[1] }),
    expectedOf: () => ({
      config: {
        prerequisites: [
          { key: 'base', variation: 0 },
          { key: 'other', variation: 1 },
        ],
      },
    }),
  },
  {
    kind: 'addRule',
    with: (flag) => ({ clauses: [clause()], variationId: flag.blue, description: 'Staff' }),
    expectedOf: () => ({ config: { rules: [r1, r2, newRule([clause()], { variation: 2, description: 'Staff' })] } }),
  },
  {
    kind: 'addRule',
    note: 'with a rollout, before another',
    with: (flag) => ({ clauses: [clause()], rolloutWeights: half(flag), beforeRuleId: 'r2' }),
    expectedOf: () => ({
      config: { rules: [r1, newRule([clause()], { rollout: { variations: halves, contextKind: 'user' } }), r2] },
    }),
  },
  {
    kind: 'addTargets',
    with: (flag) => ({ values: ['acme', 'init', 'init'], variationId: flag.red, contextKind: 'org' }),
    expectedOf: () => ({ config: { contextTargets: [org(0, 'acme', 'init')] } }),
  },
  {
    kind: 'addTargets',
    note: 'of users by default',
    with: (flag) => ({ values: ['dee'], variationId: flag.green }),
    expectedOf: () => ({ config: { targets: [user(0, 'ann', 'bob'), user(1, 'cy', 'dee')] } }),
  },
  {
    kind: 'addUserTargets',
    with: (flag) => ({ values: ['dee'], variationId: flag.blue }),
    expectedOf: () => ({ config: { targets: [user(0, 'ann', 'bob'), user(1, 'cy'), user(2, 'dee')] } }),
  },
  {
    kind: 'addValuesToClause',
    with: () => ({ ruleId: 'r1', clauseId: 'c1', values: ['b', 'c'] }),
    expectedOf: () => ({
      config: { rules: [{ ...r1, clauses: [stored('c1', { values: ['a', 'b', 'c'] }), stored('c2')] }, r2] },
    }),
  },
  {
    kind: 'clearTargets',
    with: (flag) => ({ variationId: flag.red }),
    expectedOf: () => ({ config: { targets: [user(1, 'cy')], contextTargets: [] } }),
  },
  {
    kind: 'clearUserTargets',
    with: (flag) => ({ variationId: flag.red }),
    expectedOf: () => ({ config: { targets: [user(1, 'cy')] } }),
  },
  {
    kind: 'removeClauses',
    with: () => ({ ruleId: 'r1', clauseIds: ['c1', 'none'] }),
    expectedOf: () => ({ config: { rules: [{ ...r1, clauses: [stored('c2')] }, r2] } }),
  },
  { kind: 'removePrerequisite', with: () => ({ key: 'base' }), expectedOf: () => ({ config: { prerequisites: [] } }) },
  { kind: 'removePrerequisite', note: 'that does not exist', with: () => ({ key: 'other' }), expectedOf: () => ({}) },
  { kind: 'removeRule', with: () => ({ ruleId: 'r1' }), expectedOf: () => ({ config: { rules: [r2] } }) },
  { kind: 'removeRule', note: 'that does not exist', with: () => ({ ruleId: 'r9' }), expectedOf: () => ({}) },
  {
    kind: 'removeTargets',
    with: (flag) => ({ values: ['acme', 'none'], variationId: flag.red, contextKind: 'org' }),
    expectedOf: () => ({ config: { contextTargets: [] } }),
  },
  {
    kind: 'removeTargets',
    note: 'of another variation',
    with: (flag) => ({ values: ['cy'], variationId: flag.red }),
    expectedOf: () => ({}),
  },
  {
    kind: 'removeUserTargets',
    with: (flag) => ({ values: ['ann'], variationId: flag.red }),
    expectedOf: () => ({ config: { targets: [user(0, 'bob'), user(1, 'cy')] } }),
  },
  {
    kind: 'removeValuesFromClause',
    with: () => ({ ruleId: 'r1', clauseId: 'c1', values: ['a', 'z'] }),
    expectedOf: () => ({
      config: { rules: [{ ...r1, clauses: [stored('c1', { values: ['b'] }), stored('c2')] }, r2] },
    }),
  },
  {
    kind: 'reorderRules',
    with: () => ({ ruleIds: ['r2', 'r1'] }),
    expectedOf: () => ({ config: { rules: [r2, r1] } }),
  },
  {
    kind: 'replacePrerequisites',
    with: (flag) => ({ prerequisites: [{ key: 'other', variationId: flag.other[0] }] }),
    expectedOf: () => ({ config: { prerequisites: [{ key: 'other', variation: 0 }] } }),
  },
  {
    kind: 'replaceRules',
    with: (flag) => ({
      rules: [{ clauses: [clause()], variationId: flag.red, description: 'All', trackEvents: true }],
    }),
    expectedOf: () => ({
      config: { rules: [newRule([clause()], { variation: 0, description: 'All', trackEvents: true })] },
    }),
  },
  {
    kind: 'replaceTargets',
    with: (flag) => ({
      targets: [
        { variationId: flag.blue, values: ['dee', 'dee'] },
        { variationId: flag.green, values: ['init'], contextKind: 'org' },
        { variationId: flag.red, values: [] },
      ],
    }),
    expectedOf: () => ({ config: { targets: [user(2, 'dee')], contextTargets: [org(1, 'init')] } }),
  },
  {
    kind: 'replaceUserTargets',
    with: (flag) => ({
      targets: [
        { variationId: flag.blue, values: ['ann'] },
        ...[flag.red, flag.green, flag.black].map((variationId) => ({ variationId, values: [] })),
      ],
    }),
    expectedOf: () => ({ config: { targets: [user(2, 'ann')] } }),
  },
  {
    kind: 'updateClause',
    with: () => ({ ruleId: 'r2', clauseId: 'c3', clause: clause({ op: 'contains', values: ['@'] }) }),
    expectedOf: () => ({
      config: { rules: [r1, { ...r2, clauses: [stored('c3', { op: 'contains', values: ['@'] })] }] },
    }),
  },
  {
    kind: 'updateFallthroughVariationOrRollout',
    with: (flag) => ({ variationId: flag.green }),
    expectedOf: () => ({ config: { fallthrough: { variation: 1 } } }),
  },
  {
    kind: 'updateFallthroughVariationOrRollout',
    note: 'to a rollout',
    with: (flag) => ({ rolloutWeights: half(flag), rolloutBucketBy: 'country', rolloutContextKind: 'org' }),
    expectedOf: () => ({
      config: { fallthrough: { rollout: { variations: halves, contextKind: 'org', bucketBy: 'country' } } },
    }),
  },
  {
    kind: 'updateOffVariation',
    with: (flag) => ({ variationId: flag.blue }),
    expectedOf: () => ({ config: { offVariation: 2 } }),
  },
  {
    kind: 'updatePrerequisite',
    with: (flag) => ({ key: 'base', variationId: flag.base[1] }),
    expectedOf: () => ({ config: { prerequisites: [{ key: 'base', variation: 1 }] } }),
  },
  {
    kind: 'updateRuleDescription',
    with: () => ({ ruleId: 'r1', description: 'Staff' }),
    expectedOf: () => ({ config: { rules: [{ ...r1, description: 'Staff' }, r2] } }),
  },
  {
    kind: 'updateRuleTrackEvents',
    with: () => ({ ruleId: 'r2', trackEvents: true }),
    expectedOf: () => ({ config: { rules: [r1, { ...r2, trackEvents: true }] } }),
  },
  {
    kind: 'updateRuleVariationOrRollout',
    with: (flag) => ({ ruleId: 'r1', rolloutWeights: half(flag) }),
    expectedOf: () => {
      const { variation, ...rest } = r1
      return { config: { rules: [{ ...rest, rollout: { variations: halves, contextKind: 'user' } }, r2] } }
    },
  },
  {
    kind: 'updateRuleVariationOrRollout',
    note: 'back to a variation',
    first: (flag) => [{ kind: 'updateRuleVariationOrRollout', ruleId: 'r1', rolloutWeights: half(flag) }],
    with: (flag) => ({ ruleId: 'r1', variationId: flag.blue }),
    expectedOf: () => ({ config: { rules: [{ ...r1, variation: 2 }, r2] } }),
  },
  {
    kind: 'updateTrackEvents',
    with: () => ({ trackEvents: true }),
    expectedOf: () => ({ config: { trackEvents: true } }),
  },
  {
    kind: 'updateTrackEventsFallthrough',
    with: () => ({ trackEvents: true }),
    expectedOf: () => ({ config: { trackEventsFallthrough: true } }),
  },
  {
    kind: 'startAutomatedRelease',
    with: startOf,
    expectedOf: (flag) => ({
      config: { fallthrough: firstStage, automatedReleases: [releaseOf(flag, { nextStepAt: String(start + 61_000) })] },
    }),
  },
  {
    kind: 'startAutomatedRelease',
    note: 'of a guarded release in a rule',
    with: (flag) => ({
      ...startOf(flag),
      releaseKind: 'guarded',
      ruleId: 'r2',
      metrics: [{ key: 'errors' }, { key: 'core', isGroup: true }],
      metricMonitoringPreferences: { errors: { autoRollback: true } },
      minSampleSize: 50,
    }),
    expectedOf: (flag) => ({
      config: {
        rules: [r1, { ...omitVariation(r2), ...firstStage }],
        automatedReleases: [
          releaseOf(flag, {
            kind: 'guarded',
            ruleId: 'r2',
            nextStepAt: String(start + 61_000),
            metrics: [
              { key: 'errors', isGroup: false, autoRollback: true },
              { key: 'core', isGroup: true, autoRollback: false },
            ],
            minSampleSize: 50,
          }),
        ],
      },
    }),
  },
  {
    kind: 'holdAutomatedRelease',
    with: () => ({}),
    first: (flag) => [{ kind: 'startAutomatedRelease', ...startOf(flag) }],
    expectedOf: (flag) => ({
      config: {
        automatedReleases: [{ ...releaseOf(flag), status: 'held', reason: 'a caller held it', ...startedAt(start) }],
      },
    }),
  },
  {
    kind: 'resumeAutomatedRelease',
    with: () => ({}),
    first: (flag) => [{ kind: 'startAutomatedRelease', ...startOf(flag) }, { kind: 'holdAutomatedRelease' }],
    expectedOf: (flag) => ({
      config: {
        automatedReleases: [releaseOf(flag, { ...startedAt(start), nextStepAt: String(start + 61_000) })],
      },
    }),
  },
  {
    kind: 'stopAutomatedRelease',
    with: (flag) => ({ finalVariationId: flag.green }),
    first: (flag) => [{ kind: 'startAutomatedRelease', ...startOf(flag) }],
    expectedOf: () => ({ config: { fallthrough: { variation: 1 }, automatedReleases: undefined } }),
  },
]

function startOf({ red, blue }: PaintedFlag) {
  const stages = [{ allocation: 25_000, durationMillis: 1_000 }]
  return { releaseKind: 'progressive', originalVariationId: blue, targetVariationId: red, stages }
}

const startedAt = (ms: number) => ({ startedAt: String(ms), stageStartedAt: String(ms) })

/** The release that `startOf` starts a minute after the start of the test. */
function releaseOf({ red, blue, memberId }: PaintedFlag, overrides: object = {}) {
  return {
    id: anyId,
    kind: 'progressive',
    status: 'running',
    originalVariationId: blue,
    targetVariationId: red,
    randomizationUnit: 'user',
    stages: [{ allocation: 25_000, durationMillis: 1_000 }],
    latestStageIndex: 0,
    ...startedAt(start + 60_000),
    _maintainerId: memberId,
    ...overrides,
  }
}

function omitVariation({ variation: _, ...rule }: typeof r2) {
  return rule
}
