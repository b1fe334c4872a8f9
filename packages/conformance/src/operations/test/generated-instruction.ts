import type { Operation } from '@halyard/core/operations'
import { generateValue, type SchemaParts, type ValueSource } from './generated-value.ts'

type Pick = ValueSource['pick']

interface Rule {
  readonly _id: string
  readonly clauses: readonly { readonly _id: string; readonly values: readonly unknown[] }[]
}

/** Keys and ids outside of the patched resource that instructions name. */
export interface InstructionNames {
  readonly environmentKey: string
  readonly flagKeys: readonly string[]
  /** Ids of the variations of the flags, by key. */
  readonly variations: Readonly<Record<string, readonly string[]>>
  readonly memberIds: readonly string[]
  readonly teamKeys: readonly string[]
  readonly roleKeys: readonly string[]
  readonly importIds: readonly string[]
  readonly experimentKeys: readonly string[]
  /** A time in the future, Unix ms. */
  readonly later: number
}

/** Returns the kinds of the instructions of a semantic patch that an operation accepts. */
export function instructionKinds({ body }: Operation): readonly string[] {
  return variantsOf(body).map(kindOf)
}

/** The resource of an instruction, and the names that it uses. */
export interface InstructionSubject {
  /** The resource, as the operation that gets it shows it. */
  readonly resource: object
  readonly names: InstructionNames
}

/** Generates an instruction of a kind that is likely to change a resource. */
export function generatedInstruction(
  { body }: Operation,
  kind: string,
  { resource, names }: InstructionSubject,
  pick: Pick,
): object {
  const schema = variantsOf(body).find((variant) => kindOf(variant) === kind)
  const values = { ...valuesIn(resource, kind, names, pick), ...valuesOfKind(kind, resource, names, pick) }
  const source: ValueSource = { pick, pickVariant: (options) => pick(options), valuesOf: (name) => values[name] }
  return generateValue(schema, 'instruction', source) as object
}

function variantsOf(body: Operation['body']): readonly SchemaParts[] {
  const { entries } = (body?.kind === 'json' ? body.schema : {}) as Partial<SchemaParts>
  const schema = body?.kind === 'patch' ? (body.semantic as SchemaParts | undefined) : entries?.instructions?.item
  return schema?.type === 'variant' ? (schema.options as readonly SchemaParts[]) : []
}

const kindOf = ({ entries }: SchemaParts) => String(entries?.kind?.literal)

type Values = Readonly<Record<string, readonly unknown[]>>

/** A resource that has instructions, as a response shows it. */
interface Resource extends Targeting {
  readonly key?: string
  readonly variations?: readonly { readonly _id: string; readonly value: unknown }[]
  readonly tags?: readonly string[]
  readonly customProperties?: object
  readonly roleAttributes?: object
  readonly environments?: Readonly<Record<string, Targeting>>
}

interface Targeting {
  readonly rules?: readonly Rule[]
  readonly targets?: readonly Target[]
  readonly contextTargets?: readonly Target[]
}

interface Target {
  readonly values: readonly string[]
  readonly variation: number
  readonly contextKind: string
}

/**
 * Returns values for properties by their names: values that the resource contains, and values that it does not contain.
 */
function valuesIn(resource: Resource, kind: string, { environmentKey }: InstructionNames, pick: Pick): Values {
  const targeting = resource.environments?.[environmentKey] ?? resource
  const variationIds = (resource.variations ?? []).map(({ _id }) => _id)
  const words = ['1', '2', '3'].map((digit) => `text ${digit}`)
  return {
    ...ruleValues(targeting.rules ?? [], pick),
    ...serveValues(variationIds, kind, pick),
    _id: [undefined],
    attribute: ['plan', 'email'],
    op: ['in', 'contains'],
    contextKind: ['user', 'org'],
    values: /Tags$/.test(kind) ? [...(resource.tags ?? []), 'new'] : ['x', 'y'],
    value: words,
    name: words,
    description: words,
    comment: words,
    version: [undefined, 1],
    ...(/Clause$/.test(kind) ? clauseValues(targeting.rules ?? [], pick) : {}),
    ...(/Target|User/.test(kind) ? targetValues(targeting, variationIds, kind, pick) : {}),
  }
}

function ruleValues(rules: readonly Rule[], pick: Pick): Values {
  const ids = rules.map(({ _id }) => _id)
  const rule = rules.length > 0 ? pick(rules) : undefined
  return {
    ruleId: ids.length > 0 ? [rule?._id] : ['none'],
    ruleIds: [ids.toReversed(), [...ids.slice(1), ...ids.slice(0, 1)]],
    beforeRuleId: [undefined, ...ids],
    clauseId: [rule?.clauses[0]?._id ?? 'none'],
    clauseIds: [rule?.clauses.slice(0, 1).map(({ _id }) => _id) ?? []],
  }
}

/** Returns the ids and the values of one clause. */
function clauseValues(rules: readonly Rule[], pick: Pick): Values {
  const clauses = rules.flatMap((rule) => rule.clauses.map((clause) => ({ ruleId: rule._id, clause })))
  if (clauses.length === 0) return {}
  const { ruleId, clause } = pick(clauses)
  return { ruleId: [ruleId], clauseId: [clause._id], values: [...clause.values, 'other'] }
}

/** Returns what to serve: a variation, or a rollout of two variations. */
function serveValues(variationIds: readonly string[], kind: string, pick: Pick): Values {
  const rollouts = variationIds.map((id, index) => {
    const other = variationIds[index + 1]
    return other === undefined ? { [id]: 100_000 } : { [id]: 40_000, [other]: 60_000 }
  })
  const isRollout = /Rollout|Rules?$/.test(kind) && pick([true, false])
  return {
    variationId: isRollout ? [undefined] : variationIds,
    rolloutWeights: isRollout ? rollouts : [undefined],
    rolloutBucketBy: isRollout ? [undefined, 'email'] : [undefined],
    rolloutContextKind: isRollout ? ['user', 'org'] : [undefined],
  }
}

/**
 * Returns contexts. For an instruction that adds targets they are any contexts, and otherwise those of existing
 * targets.
 */
function targetValues(targeting: Targeting, variationIds: readonly string[], kind: string, pick: Pick): Values {
  const keys = ['u1', 'u2', 'u3', 'u4', 'u5', 'o1', 'new']
  const targets = [...(targeting.targets ?? []), ...(targeting.contextTargets ?? [])]
  const isNew = targets.length === 0 || /^(add(User)?Targets|replace)/.test(kind)
  if (isNew) return { values: keys, contextKey: keys, userKey: keys }
  const { values, variation, contextKind } = pick(targets)
  const variationId = variationIds[variation]
  return { values, contextKey: values, userKey: values, contextKind: [contextKind], variationId: [variationId] }
}

/** Returns the properties of instructions about the release of the default rule. */
function releaseValues({ variations = [] }: Resource, kind: string): Values {
  const [first, second] = variations.map(({ _id }) => _id)
  const stages = [[{ allocation: 10_000, durationMillis: 60_000 }], []]
  return {
    ruleId: [undefined],
    ...(kind === 'startAutomatedRelease'
      ? {
          ...{ releaseKind: ['progressive', 'guarded'], stages, metrics: [undefined], minSampleSize: [undefined, 5] },
          ...{ originalVariationId: [first], targetVariationId: [second], clauses: [undefined], notifyTeamKeys: [[]] },
          ...{ notifyMemberIds: [[]], metricMonitoringPreferences: [undefined] },
        }
      : {}),
    ...(kind === 'stopAutomatedRelease' ? { finalVariationId: [first, second] } : {}),
  }
}

/** Returns the values of properties whose meaning depends on the kind of the instruction. */
function valuesOfKind(kind: string, resource: Resource, names: InstructionNames, pick: Pick): Values {
  const { flagKeys, variations, memberIds, teamKeys, roleKeys, importIds, experimentKeys, later } = names
  const shownValues = (resource.variations ?? []).map(({ value }) => value)
  const flagKey = pick(flagKeys)
  const each = (ids: readonly string[]) => ids.map((id) => [id])
  const byKind: readonly (readonly [RegExp, Values])[] = [
    [/Prerequisite/, { key: [flagKey], variationId: variations[flagKey] ?? [] }],
    [/CustomProperties/, { key: [...Object.keys(resource.customProperties ?? {}), 'jira'] }],
    [/RoleAttribute$/, { key: [...Object.keys(resource.roleAttributes ?? {}), 'region'], values: each(['a', 'b']) }],
    [/RoleAttributes$/, { value: [{ region: ['east'] }, {}] }],
    [/CustomRoles$/, { values: roleKeys }],
    [/Members$/, { values: each(memberIds) }],
    [/^replaceMembers|MembersToTeams$/, { memberIDs: each(memberIds), teamKeys: each(teamKeys) }],
    // These filters select only members with the base role `admin`, so the account keeps its owner.
    [/AllMembers/, { filterRoles: ['admin'], filterLastSeen: [undefined], filterQuery: [undefined, 'ann'] }],
    [/AllMembers/, { filterTeamKey: [undefined, ...teamKeys], ignoredMemberIDs: [[], ...each(memberIds)] }],
    [/Grants$/, { actionSet: [undefined], actions: each(['updateTeamName', 'addRole']), memberIDs: each(memberIds) }],
    [/addReviewers/, { notifyMemberIds: each(memberIds), notifyTeamKeys: [[], teamKeys] }],
    [/MaintainerMember/, { value: memberIds }],
    [/MaintainerTeam/, { value: teamKeys }],
    [/ClientSideAvailability/, { value: ['usingEnvironmentId', 'usingMobileKey'] }],
    [/ExecutionDate|Expir/, { value: [later, later + 1] }],
    [/ExpireUser/, { flagKey: [resource.key] }],
    [/DefaultVariation/, { onVariationValue: shownValues, offVariationValue: shownValues }],
    [/ChangesInstructions/, { value: [[{ kind: 'turnFlagOn' }], [{ kind: 'updateName', value: 'x' }]] }],
    [/addVariation|updateVariation/, { value: ['v1', 'v2'] }],
    [/Experiment(Reservation)?$/, { experimentKey: experimentKeys, reservationPercent: [10, 40] }],
    [/BigSegmentImport/, { importId: importIds }],
    [/AutomatedRelease/, releaseValues(resource, kind)],
  ]
  return Object.assign({}, ...byKind.filter(([pattern]) => pattern.test(kind)).map(([, values]) => values))
}
