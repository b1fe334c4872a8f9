import { clause } from './flag-project.ts'
import { anyId, type InstructionCase } from './instruction-case.ts'
import { org, type Painted, r1, r2, stored, user } from './painted-flag.ts'

const newRule = (clauses: readonly object[], rest: object) => ({
  _id: anyId,
  trackEvents: false,
  clauses: clauses.map((one) => ({ ...one, _id: anyId })),
  ...rest,
})
const half = (p: Painted) => ({ [p.red]: 50_000, [p.blue]: 50_000 })
const halves = [
  { variation: 0, weight: 50_000 },
  { variation: 2, weight: 50_000 },
]

/** Instructions that change the configuration of an environment. */
export const targetingInstructions: readonly InstructionCase[] = [
  { kind: 'turnFlagOn', makes: () => ({ config: { on: true } }) },
  { kind: 'turnFlagOff', first: () => [{ kind: 'turnFlagOn' }], makes: () => ({ config: { on: false } }) },
  {
    kind: 'addClauses',
    with: () => ({ ruleId: 'r2', clauses: [clause({ negate: true })] }),
    makes: () => ({
      config: { rules: [r1, { ...r2, clauses: [...r2.clauses, { ...clause({ negate: true }), _id: anyId }] }] },
    }),
  },
  {
    kind: 'addClauses',
    note: 'with the kind user and without negation by default',
    with: () => ({ ruleId: 'r2', clauses: [{ attribute: 'email', op: 'endsWith', values: ['@example.com'] }] }),
    makes: () => ({ config: { rules: [r1, { ...r2, clauses: [...r2.clauses, { ...clause(), _id: anyId }] }] } }),
  },
  {
    kind: 'addPrerequisite',
    with: (p) => ({ key: 'other', variationId: p.other[1] }),
    makes: () => ({
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
    with: (p) => ({ clauses: [clause()], variationId: p.blue, description: 'Staff' }),
    makes: () => ({ config: { rules: [r1, r2, newRule([clause()], { variation: 2, description: 'Staff' })] } }),
  },
  {
    kind: 'addRule',
    note: 'with a rollout, before another',
    with: (p) => ({ clauses: [clause()], rolloutWeights: half(p), beforeRuleId: 'r2' }),
    makes: () => ({
      config: { rules: [r1, newRule([clause()], { rollout: { variations: halves, contextKind: 'user' } }), r2] },
    }),
  },
  {
    kind: 'addTargets',
    with: (p) => ({ values: ['acme', 'init', 'init'], variationId: p.red, contextKind: 'org' }),
    makes: () => ({ config: { contextTargets: [org(0, 'acme', 'init')] } }),
  },
  {
    kind: 'addTargets',
    note: 'of users by default',
    with: (p) => ({ values: ['dee'], variationId: p.green }),
    makes: () => ({ config: { targets: [user(0, 'ann', 'bob'), user(1, 'cy', 'dee')] } }),
  },
  {
    kind: 'addUserTargets',
    with: (p) => ({ values: ['dee'], variationId: p.blue }),
    makes: () => ({ config: { targets: [user(0, 'ann', 'bob'), user(1, 'cy'), user(2, 'dee')] } }),
  },
  {
    kind: 'addValuesToClause',
    with: () => ({ ruleId: 'r1', clauseId: 'c1', values: ['b', 'c'] }),
    makes: () => ({
      config: { rules: [{ ...r1, clauses: [stored('c1', { values: ['a', 'b', 'c'] }), stored('c2')] }, r2] },
    }),
  },
  {
    kind: 'clearTargets',
    with: (p) => ({ variationId: p.red }),
    makes: () => ({ config: { targets: [user(1, 'cy')], contextTargets: [] } }),
  },
  {
    kind: 'clearUserTargets',
    with: (p) => ({ variationId: p.red }),
    makes: () => ({ config: { targets: [user(1, 'cy')] } }),
  },
  {
    kind: 'removeClauses',
    with: () => ({ ruleId: 'r1', clauseIds: ['c1', 'none'] }),
    makes: () => ({ config: { rules: [{ ...r1, clauses: [stored('c2')] }, r2] } }),
  },
  { kind: 'removePrerequisite', with: () => ({ key: 'base' }), makes: () => ({ config: { prerequisites: [] } }) },
  { kind: 'removePrerequisite', note: 'that does not exist', with: () => ({ key: 'other' }), makes: () => ({}) },
  { kind: 'removeRule', with: () => ({ ruleId: 'r1' }), makes: () => ({ config: { rules: [r2] } }) },
  { kind: 'removeRule', note: 'that does not exist', with: () => ({ ruleId: 'r9' }), makes: () => ({}) },
  {
    kind: 'removeTargets',
    with: (p) => ({ values: ['acme', 'none'], variationId: p.red, contextKind: 'org' }),
    makes: () => ({ config: { contextTargets: [] } }),
  },
  {
    kind: 'removeTargets',
    note: 'of another variation',
    with: (p) => ({ values: ['cy'], variationId: p.red }),
    makes: () => ({}),
  },
  {
    kind: 'removeUserTargets',
    with: (p) => ({ values: ['ann'], variationId: p.red }),
    makes: () => ({ config: { targets: [user(0, 'bob'), user(1, 'cy')] } }),
  },
  {
    kind: 'removeValuesFromClause',
    with: () => ({ ruleId: 'r1', clauseId: 'c1', values: ['a', 'z'] }),
    makes: () => ({ config: { rules: [{ ...r1, clauses: [stored('c1', { values: ['b'] }), stored('c2')] }, r2] } }),
  },
  { kind: 'reorderRules', with: () => ({ ruleIds: ['r2', 'r1'] }), makes: () => ({ config: { rules: [r2, r1] } }) },
  {
    kind: 'replacePrerequisites',
    with: (p) => ({ prerequisites: [{ key: 'other', variationId: p.other[0] }] }),
    makes: () => ({ config: { prerequisites: [{ key: 'other', variation: 0 }] } }),
  },
  {
    kind: 'replaceRules',
    with: (p) => ({ rules: [{ clauses: [clause()], variationId: p.red, description: 'All', trackEvents: true }] }),
    makes: () => ({
      config: { rules: [newRule([clause()], { variation: 0, description: 'All', trackEvents: true })] },
    }),
  },
  {
    kind: 'replaceTargets',
    with: (p) => ({
      targets: [
        { variationId: p.blue, values: ['dee', 'dee'] },
        { variationId: p.green, values: ['init'], contextKind: 'org' },
        { variationId: p.red, values: [] },
      ],
    }),
    makes: () => ({ config: { targets: [user(2, 'dee')], contextTargets: [org(1, 'init')] } }),
  },
  {
    kind: 'replaceUserTargets',
    with: (p) => ({
      targets: [
        { variationId: p.blue, values: ['ann'] },
        ...[p.red, p.green, p.black].map((variationId) => ({ variationId, values: [] })),
      ],
    }),
    makes: () => ({ config: { targets: [user(2, 'ann')] } }),
  },
  {
    kind: 'updateClause',
    with: () => ({ ruleId: 'r2', clauseId: 'c3', clause: clause({ op: 'contains', values: ['@'] }) }),
    makes: () => ({ config: { rules: [r1, { ...r2, clauses: [stored('c3', { op: 'contains', values: ['@'] })] }] } }),
  },
  {
    kind: 'updateFallthroughVariationOrRollout',
    with: (p) => ({ variationId: p.green }),
    makes: () => ({ config: { fallthrough: { variation: 1 } } }),
  },
  {
    kind: 'updateFallthroughVariationOrRollout',
    note: 'to a rollout',
    with: (p) => ({ rolloutWeights: half(p), rolloutBucketBy: 'country', rolloutContextKind: 'org' }),
    makes: () => ({
      config: { fallthrough: { rollout: { variations: halves, contextKind: 'org', bucketBy: 'country' } } },
    }),
  },
  {
    kind: 'updateOffVariation',
    with: (p) => ({ variationId: p.blue }),
    makes: () => ({ config: { offVariation: 2 } }),
  },
  {
    kind: 'updatePrerequisite',
    with: (p) => ({ key: 'base', variationId: p.base[1] }),
    makes: () => ({ config: { prerequisites: [{ key: 'base', variation: 1 }] } }),
  },
  {
    kind: 'updateRuleDescription',
    with: () => ({ ruleId: 'r1', description: 'Staff' }),
    makes: () => ({ config: { rules: [{ ...r1, description: 'Staff' }, r2] } }),
  },
  {
    kind: 'updateRuleTrackEvents',
    with: () => ({ ruleId: 'r2', trackEvents: true }),
    makes: () => ({ config: { rules: [r1, { ...r2, trackEvents: true }] } }),
  },
  {
    kind: 'updateRuleVariationOrRollout',
    with: (p) => ({ ruleId: 'r1', rolloutWeights: half(p) }),
    makes: () => {
      const { variation, ...rest } = r1
      return { config: { rules: [{ ...rest, rollout: { variations: halves, contextKind: 'user' } }, r2] } }
    },
  },
  {
    kind: 'updateRuleVariationOrRollout',
    note: 'back to a variation',
    first: (p) => [{ kind: 'updateRuleVariationOrRollout', ruleId: 'r1', rolloutWeights: half(p) }],
    with: (p) => ({ ruleId: 'r1', variationId: p.blue }),
    makes: () => ({ config: { rules: [{ ...r1, variation: 2 }, r2] } }),
  },
  { kind: 'updateTrackEvents', with: () => ({ trackEvents: true }), makes: () => ({ config: { trackEvents: true } }) },
  {
    kind: 'updateTrackEventsFallthrough',
    with: () => ({ trackEvents: true }),
    makes: () => ({ config: { trackEventsFallthrough: true } }),
  },
]
