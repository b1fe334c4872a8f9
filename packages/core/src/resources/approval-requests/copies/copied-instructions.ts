import type { Flag } from '../../../models/flags/flag.ts'
import type { FlagConfig } from '../../../models/flags/flag-config.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Serve } from '../../../rules/targeting/serve.ts'
import type { TargetingRule } from '../../../rules/targeting/targeting.ts'
import { type AspectSelection, copiedConfig } from '../../flags/copies/copied-config.ts'

/** An instruction of a semantic patch of a flag. */
export interface CopyingInstruction {
  readonly kind: string
  readonly [property: string]: unknown
}

/** The configuration that is copied, and the one that it replaces. */
export interface ConfigCopy {
  readonly from: FlagConfig
  readonly to: FlagConfig
}

/** The aspects that are copied, and the flags that become prerequisites. */
export interface CopiedAspects {
  readonly selection: AspectSelection
  /** The flags that are prerequisites in the copied configuration, by key. */
  readonly prerequisites: ReadonlyMap<string, Flag>
}

/**
 * Returns the instructions that turn a configuration of a flag into a copy of another configuration, as `copyFlag`
 * does. Parts that are equal already need no instruction.
 */
export function copiedInstructions(
  flag: Flag,
  { from, to }: ConfigCopy,
  { selection, prerequisites }: CopiedAspects,
): CopyingInstruction[] {
  const copy = copiedConfig(from, to, selection)
  const idOf = (index: number) => flag.variations[index]?._id ?? ''
  const differs = (...properties: readonly (keyof FlagConfig)[]) =>
    properties.some((property) => !jsonEqual(copy[property], to[property]))
  const instructions: CopyingInstruction[] = []
  if (differs('prerequisites')) {
    const listed = copy.prerequisites.map(({ key, variation }) => ({
      key,
      variationId: prerequisites.get(key)?.variations[variation]?._id ?? '',
    }))
    instructions.push({ kind: 'replacePrerequisites', prerequisites: listed })
  }
  if (differs('targets', 'contextTargets')) {
    const targets = [...copy.targets, ...copy.contextTargets].map(({ variation, contextKind, values }) => ({
      contextKind,
      variationId: idOf(variation),
      values,
    }))
    instructions.push({ kind: 'replaceTargets', targets })
  }
  if (differs('rules')) {
    instructions.push({ kind: 'replaceRules', rules: copy.rules.map((rule) => ruleOf(rule, idOf)) })
  }
  if (differs('fallthrough')) {
    instructions.push({ kind: 'updateFallthroughVariationOrRollout', ...serveOf(copy.fallthrough, idOf) })
  }
  if (differs('offVariation') && copy.offVariation !== undefined) {
    instructions.push({ kind: 'updateOffVariation', variationId: idOf(copy.offVariation) })
  }
  if (differs('on')) instructions.push({ kind: copy.on ? 'turnFlagOn' : 'turnFlagOff' })
  return instructions
}

function ruleOf(rule: TargetingRule, idOf: (index: number) => string) {
  return {
    clauses: rule.clauses.map(({ _id, ...clause }) => clause),
    ...serveOf(rule, idOf),
    ...(rule.description === undefined ? {} : { description: rule.description }),
    trackEvents: rule.trackEvents,
  }
}

function serveOf({ variation, rollout }: Serve, idOf: (index: number) => string) {
  if (!rollout) return { variationId: idOf(variation ?? 0) }
  return {
    rolloutWeights: Object.fromEntries(rollout.variations.map((share) => [idOf(share.variation), share.weight])),
    rolloutContextKind: rollout.contextKind,
    ...(rollout.bucketBy === undefined ? {} : { rolloutBucketBy: rollout.bucketBy }),
  }
}
