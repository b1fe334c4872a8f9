import { describe, expect, it } from 'vitest'
import { clause, flagProject, start } from './test/flag-project.ts'

/** All kinds of the reference API. */
const kinds = `
  turnFlagOff turnFlagOn addClauses addPrerequisite addRule addTargets addUserTargets addValuesToClause clearTargets
  clearUserTargets removeClauses removePrerequisite removeRule removeTargets removeUserTargets removeValuesFromClause
  reorderRules replacePrerequisites replaceRules replaceTargets replaceUserTargets updateClause
  updateFallthroughVariationOrRollout updateOffVariation updatePrerequisite updateRuleDescription
  updateRuleTrackEvents updateRuleVariationOrRollout updateTrackEvents updateTrackEventsFallthrough
  addVariation removeVariation updateVariation updateDefaultVariation
  addCustomProperties replaceCustomProperties removeCustomProperties addTags removeTags makeFlagPermanent
  makeFlagTemporary removeMaintainer updateMaintainerMember updateMaintainerTeam turnOnClientSideAvailability
  turnOffClientSideAvailability updateDescription updateName
  archiveFlag deleteFlag deprecateFlag restoreDeprecatedFlag restoreFlag`
  .trim()
  .split(/\s+/)

const stored = (_id: string, more: object = {}) => ({ ...clause(more), _id })
const r1 = {
  _id: 'r1',
  clauses: [stored('c1', { values: ['a', 'b'] }), stored('c2')],
  variation: 0,
  trackEvents: false,
}
const r2 = { _id: 'r2', clauses: [stored('c3')], variation: 1, trackEvents: false }
const user = (variation: number, ...values: string[]) => ({ values, variation, contextKind: 'user' })
const org = (variation: number, ...values: string[]) => ({ values, variation, contextKind: 'org' })

/** A flag that has something of everything in production, and the flags `base` and `other` beside it. */
async function painted() {
  const project = await flagProject()
  const values = ['red', 'green', 'blue', 'black'].map((value) => ({ value, name: value }))
  const customProperties = { jira: { name: 'Jira', value: ['1', '2'] } }
  const made = await project.create('f', { variations: values, tags: ['x', 'y'], customProperties })
  const base = (await project.create('base')).variations
  const other = (await project.create('other')).variations
  const config = {
    targets: [user(0, 'ann', 'bob'), user(1, 'cy')],
    contextTargets: [org(0, 'acme')],
    rules: [r1, r2],
    prerequisites: [{ key: 'base', variation: 0 }],
    fallthrough: { variation: 2 },
    offVariation: 1,
  }
  await project.patch(
    'f',
    Object.entries(config).map(([member, value]) => ({
      op: 'replace',
      path: `/environments/production/${member}`,
      value,
    })),
  )
  const idsOf = (list: typeof base) => list.map(({ _id }) => _id)
  const [red, green, blue, black] = idsOf(made.variations) as [string, string, string, string]
  return { ...project, red, green, blue, black, base: idsOf(base), other: idsOf(other) }
}

type Painted = Awaited<ReturnType<typeof painted>>

interface Expected {
  /** What becomes of flag-wide members. */
  readonly flag?: object
  /** What becomes of members of the configuration in production. */
  readonly config?: object
  /** What becomes of the configuration in test. */
  readonly test?: object
}

interface Case {
  readonly kind: string
  readonly note?: string
  readonly with?: (p: Painted) => object
  readonly first?: (p: Painted) => object[]
  readonly makes: (p: Painted) => Expected
}

const anyId = expect.stringMatching(/^id-\d+$/)
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

/** A configuration that stood on defaults must be stored when these change, or it would change with them. */
const kept = { version: 2 }

const cases: readonly Case[] = [
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
    note: 'of the kind user, not negated, where nothing else is said',
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
    note: 'of users, where no kind is named',
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
  { kind: 'removePrerequisite', note: 'that is none', with: () => ({ key: 'other' }), makes: () => ({}) },
  { kind: 'removeRule', with: () => ({ ruleId: 'r1' }), makes: () => ({ config: { rules: [r2] } }) },
  { kind: 'removeRule', note: 'that is none', with: () => ({ ruleId: 'r9' }), makes: () => ({}) },
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

  {
    kind: 'addVariation',
    with: () => ({ value: 'grey', name: 'Grey', description: 'Dull' }),
    makes: (p) => ({
      flag: { variations: [...paint(p), { _id: anyId, value: 'grey', name: 'Grey', description: 'Dull' }] },
    }),
  },
  {
    kind: 'updateVariation',
    with: (p) => ({ variationId: p.green, value: 'lime', name: 'Lime', description: 'Fresh' }),
    makes: (p) => ({
      flag: {
        variations: paint(p).map((one) =>
          one.value === 'green' ? { _id: p.green, value: 'lime', name: 'Lime', description: 'Fresh' } : one,
        ),
      },
    }),
  },
  {
    kind: 'updateDefaultVariation',
    with: () => ({ onVariationValue: 'blue', offVariationValue: 'red' }),
    makes: () => ({ flag: { defaults: { onVariation: 2, offVariation: 0 } }, test: kept }),
  },
  {
    kind: 'updateDefaultVariation',
    note: 'one of the two',
    with: () => ({ offVariationValue: 'blue' }),
    makes: () => ({ flag: { defaults: { onVariation: 0, offVariation: 2 } }, test: kept }),
  },

  {
    kind: 'addCustomProperties',
    with: () => ({ key: 'jira', name: 'Issues', values: ['2', '3'] }),
    makes: () => ({ flag: { customProperties: { jira: { name: 'Issues', value: ['1', '2', '3'] } } } }),
  },
  {
    kind: 'addCustomProperties',
    note: 'under a key that every object has',
    with: () => ({ key: 'toString', name: 'T', values: ['1'] }),
    makes: () => ({
      flag: { customProperties: { jira: { name: 'Jira', value: ['1', '2'] }, toString: { name: 'T', value: ['1'] } } },
    }),
  },
  {
    kind: 'replaceCustomProperties',
    with: () => ({ key: 'jira', name: 'Issues', values: ['9'] }),
    makes: () => ({ flag: { customProperties: { jira: { name: 'Issues', value: ['9'] } } } }),
  },
  {
    kind: 'removeCustomProperties',
    with: () => ({ key: 'jira', values: ['1', '7'] }),
    makes: () => ({ flag: { customProperties: { jira: { name: 'Jira', value: ['2'] } } } }),
  },
  {
    kind: 'removeCustomProperties',
    note: 'with its last value',
    with: () => ({ key: 'jira', values: ['1', '2'] }),
    makes: () => ({ flag: { customProperties: {} } }),
  },
  {
    kind: 'removeCustomProperties',
    note: 'that is none',
    with: () => ({ key: 'toString', values: ['1'] }),
    makes: () => ({}),
  },
  { kind: 'addTags', with: () => ({ values: ['y', 'z'] }), makes: () => ({ flag: { tags: ['x', 'y', 'z'] } }) },
  { kind: 'removeTags', with: () => ({ values: ['x', 'q'] }), makes: () => ({ flag: { tags: ['y'] } }) },
  { kind: 'makeFlagPermanent', makes: () => ({ flag: { temporary: false } }) },
  {
    kind: 'makeFlagTemporary',
    first: () => [{ kind: 'makeFlagPermanent' }],
    makes: () => ({ flag: { temporary: true } }),
  },
  { kind: 'removeMaintainer', makes: () => ({ flag: { maintainerId: undefined, _maintainer: undefined } }) },
  {
    kind: 'updateMaintainerTeam',
    with: () => ({ value: 'growth' }),
    makes: () => ({ flag: { maintainerTeamKey: 'growth', maintainerId: undefined, _maintainer: undefined } }),
  },
  {
    kind: 'updateMaintainerMember',
    first: () => [{ kind: 'updateMaintainerTeam', value: 'growth' }],
    with: (p) => ({ value: p.memberId }),
    makes: (p) => ({
      flag: {
        maintainerTeamKey: undefined,
        maintainerId: p.memberId,
        _maintainer: expect.objectContaining({ _id: p.memberId }),
      },
    }),
  },
  {
    kind: 'turnOnClientSideAvailability',
    with: () => ({ value: 'usingEnvironmentId' }),
    makes: () => ({ flag: { clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: true } } }),
  },
  {
    kind: 'turnOffClientSideAvailability',
    with: () => ({ value: 'usingMobileKey' }),
    makes: () => ({ flag: { clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: false } } }),
  },
  { kind: 'updateDescription', with: () => ({ value: 'Paint' }), makes: () => ({ flag: { description: 'Paint' } }) },
  { kind: 'updateName', with: () => ({ value: 'Paint' }), makes: () => ({ flag: { name: 'Paint' } }) },

  {
    kind: 'archiveFlag',
    makes: () => ({ flag: { archived: true, archivedDate: String(start + 60_000) } }),
  },
  {
    kind: 'restoreFlag',
    first: () => [{ kind: 'archiveFlag' }],
    makes: () => ({ flag: { archived: false, archivedDate: undefined } }),
  },
  {
    kind: 'deprecateFlag',
    makes: () => ({ flag: { deprecated: true, deprecatedDate: String(start + 60_000) } }),
  },
  {
    kind: 'restoreDeprecatedFlag',
    first: () => [{ kind: 'deprecateFlag' }],
    makes: () => ({ flag: { deprecated: false, deprecatedDate: undefined } }),
  },
]

function paint({ red, green, blue, black }: Painted) {
  return [
    { _id: red, value: 'red', name: 'red' },
    { _id: green, value: 'green', name: 'green' },
    { _id: blue, value: 'blue', name: 'blue' },
    { _id: black, value: 'black', name: 'black' },
  ]
}

/** Changes of the second kind are other ones each time, as they make something new. */
const making = new Set(['addRule', 'addClauses', 'replaceRules', 'addVariation'])

describe('every instruction', () => {
  it('of the reference is here', () => {
    const elsewhere = ['removeVariation', 'deleteFlag']
    expect(new Set([...cases.map(({ kind }) => kind), ...elsewhere])).toEqual(new Set(kinds))
    expect(kinds).toHaveLength(53)
  })

  it.each(cases.map((one) => ({ ...one, title: `${one.kind} ${one.note ?? ''}`.trim() })))(
    '$title',
    async ({ kind, with: members, first, makes }) => {
      const p = await painted()
      if (first) await p.instruct('f', first(p))
      const before = await p.get('f')
      p.pass(60_000)
      const instruction = { kind, ...members?.(p) }
      const { flag, config, test } = makes(p)
      const after = await p.instruct('f', [instruction])

      const { production, test: other } = before.environments ?? {}
      const counted = config && { version: (production?.version ?? 0) + 1, lastModified: String(start + 60_000) }
      // Both follow from the rest, and have tests of their own.
      const derived = { archived: expect.any(Boolean), _summary: expect.any(Object) }
      expect(after).toEqual({
        ...before,
        ...flag,
        _version: before._version + (flag || config ? 1 : 0),
        environments: {
          production: { ...production, ...config, ...counted, ...derived },
          test: { ...other, ...test, ...derived },
        },
      })
      // What was answered is what is stored, and what is true already stays as it is (D12).
      expect(await p.get('f')).toEqual(after)
      if (!making.has(kind)) expect(await p.instruct('f', [instruction])).toEqual(after)
    },
  )
})
