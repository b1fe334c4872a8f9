import {
  type ClauseDraft,
  type PrerequisiteDraft,
  type RuleDraft,
  type ServeDraft,
  sameJson,
  type TargetDraft,
  type TargetingDraft,
} from './draft.ts'

/** An instruction of a semantic patch of a flag. */
export interface Instruction {
  readonly kind: string
  readonly [property: string]: unknown
}

/** Returns the instructions that change one targeting into another; empty when both are the same. */
export function instructionsOf(before: TargetingDraft, after: TargetingDraft): Instruction[] {
  return [
    ...switchOf(before.on, after.on),
    ...prerequisiteInstructions(before.prerequisites, after.prerequisites),
    ...targetInstructions(before.targets, after.targets),
    ...ruleInstructions(before.rules, after.rules),
    ...(sameJson(before.fallthrough, after.fallthrough)
      ? []
      : [{ kind: 'updateFallthroughVariationOrRollout', ...serveInput(after.fallthrough) }]),
    ...(after.offVariationId === undefined || before.offVariationId === after.offVariationId
      ? []
      : [{ kind: 'updateOffVariation', variationId: after.offVariationId }]),
  ]
}

function switchOf(before: boolean, after: boolean): Instruction[] {
  if (before === after) return []
  return [{ kind: after ? 'turnFlagOn' : 'turnFlagOff' }]
}

function prerequisiteInstructions(
  before: readonly PrerequisiteDraft[],
  after: readonly PrerequisiteDraft[],
): Instruction[] {
  const isKept = ({ key }: PrerequisiteDraft) => after.some((prerequisite) => prerequisite.key === key)
  const earlier = (key: string) => before.find((prerequisite) => prerequisite.key === key)
  return [
    ...before.filter((prerequisite) => !isKept(prerequisite)).map(({ key }) => ({ kind: 'removePrerequisite', key })),
    ...after.flatMap(({ key, variationId }) => {
      const existing = earlier(key)
      if (!existing) return [{ kind: 'addPrerequisite', key, variationId }]
      return existing.variationId === variationId ? [] : [{ kind: 'updatePrerequisite', key, variationId }]
    }),
  ]
}

function targetInstructions(before: readonly TargetDraft[], after: readonly TargetDraft[]): Instruction[] {
  const name = ({ contextKind, variationId }: TargetDraft) => JSON.stringify([contextKind, variationId])
  const names = [...new Set([...before, ...after].map(name))]
  const valuesOf = (targets: readonly TargetDraft[], wanted: string) => [
    ...new Set(targets.filter((target) => name(target) === wanted).flatMap(({ values }) => values)),
  ]
  const changes = names.map((each) => {
    const [contextKind, variationId] = JSON.parse(each) as [string, string]
    const [old, current] = [valuesOf(before, each), valuesOf(after, each)]
    const common = { variationId, contextKind }
    return {
      removed: { kind: 'removeTargets', values: old.filter((value) => !current.includes(value)), ...common },
      added: { kind: 'addTargets', values: current.filter((value) => !old.includes(value)), ...common },
    }
  })
  // A key can be a target of one variation only, so it is removed from one before it is added to another.
  return [...changes.map(({ removed }) => removed), ...changes.map(({ added }) => added)].filter(
    ({ values }) => values.length > 0,
  )
}

function ruleInstructions(before: readonly RuleDraft[], after: readonly RuleDraft[]): Instruction[] {
  const keptIds = after.flatMap(({ _id }) => _id ?? [])
  const remaining = before.filter(({ _id }) => keptIds.includes(_id as string))
  const removed = before.filter(({ _id }) => !keptIds.includes(_id as string))
  const isReordered = !sameJson(
    remaining.map(({ _id }) => _id),
    keptIds,
  )
  return [
    ...removed.map(({ _id }) => ({ kind: 'removeRule', ruleId: _id })),
    ...(isReordered ? [{ kind: 'reorderRules', ruleIds: keptIds }] : []),
    ...after.flatMap((rule, index) => {
      const existing = before.find(({ _id }) => _id !== undefined && _id === rule._id)
      return existing ? changesOfRule(existing, rule) : [addition(rule, after.slice(index + 1))]
    }),
  ]
}

/**
 * Returns the instruction that adds a rule.
 *
 * @param following the rules after the new rule. The new rule is inserted before the first of them that exists already.
 */
function addition({ clauses, description, serve }: RuleDraft, following: readonly RuleDraft[]): Instruction {
  const next = following.find(({ _id }) => _id !== undefined)
  return {
    kind: 'addRule',
    clauses: clauses.map(clauseInput),
    ...(description === '' ? {} : { description }),
    ...serveInput(serve),
    ...(next ? { beforeRuleId: next._id } : {}),
  }
}

function changesOfRule(before: RuleDraft, after: RuleDraft): Instruction[] {
  const ruleId = after._id
  return [
    ...descriptionAndClauses(before, after),
    ...(sameJson(before.serve, after.serve)
      ? []
      : [{ kind: 'updateRuleVariationOrRollout', ruleId, ...serveInput(after.serve) }]),
  ]
}

/** Returns the instructions that change the description and the conditions of a rule, of a flag or a segment. */
export function descriptionAndClauses(
  before: Pick<RuleDraft, '_id' | 'description' | 'clauses'>,
  after: Pick<RuleDraft, '_id' | 'description' | 'clauses'>,
): Instruction[] {
  const ruleId = after._id
  const keptIds = after.clauses.flatMap(({ _id }) => _id ?? [])
  const removed = before.clauses.flatMap(({ _id }) => (keptIds.includes(_id as string) ? [] : [_id as string]))
  const added = after.clauses.filter(({ _id }) => _id === undefined)
  return [
    ...(before.description === after.description
      ? []
      : [{ kind: 'updateRuleDescription', ruleId, description: after.description }]),
    ...(added.length === 0 ? [] : [{ kind: 'addClauses', ruleId, clauses: added.map(clauseInput) }]),
    ...(removed.length === 0 ? [] : [{ kind: 'removeClauses', ruleId, clauseIds: removed }]),
    ...after.clauses.flatMap((clause) => {
      const existing = before.clauses.find(({ _id }) => _id !== undefined && _id === clause._id)
      if (!existing || sameJson(existing, clause)) return []
      return [{ kind: 'updateClause', ruleId, clauseId: clause._id, clause: clauseInput(clause) }]
    }),
  ]
}

/** Returns a condition for a request, which has no `_id` there. */
export function clauseInput({ contextKind, attribute, op, negate, values }: ClauseDraft) {
  return { contextKind, attribute, op, negate, values }
}

/** Returns the result that a rule serves, as the properties of an instruction. */
export function serveInput(serve: ServeDraft) {
  if ('variationId' in serve) return { variationId: serve.variationId }
  const { weights, contextKind, bucketBy } = serve
  return {
    rolloutWeights: weights,
    rolloutContextKind: contextKind,
    ...(bucketBy ? { rolloutBucketBy: bucketBy } : {}),
  }
}
