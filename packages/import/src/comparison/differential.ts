import { isDeepStrictEqual } from 'node:util'
import type { Evaluator } from '@halyard/core'
import type { EvaluationContext } from '@halyard/core/evaluation'
import type { EvaluationOutcome, OldEvaluator } from '../flag-format.ts'
import type { ImportedFlag, ImportedProject } from '../imported-project.ts'
import { relatedRulesOf } from './related-rules.ts'
import {
  bucketingAttributes,
  count,
  sharesAgree,
  type Tally,
  usesPercentages,
  withOtherKeys,
} from './rollout-shares.ts'
import { type FlagInEnvironment, sampleContexts } from './sample-contexts.ts'

/**
 * The result of comparing a flag in one environment: `same` in every context; `by-rollout` when single contexts differ
 * because another hash puts them into buckets, while the shares are the same; otherwise `differs`.
 */
export type Verdict = 'same' | 'by-rollout' | 'differs'

/** The evaluation of a flag in one environment before and after the import. */
export interface Comparison {
  readonly flag: string
  readonly environment: string
  readonly verdict: Verdict
  /** Number of contexts that were tried; `differing` of them received another value. */
  readonly contexts: number
  readonly differing: number
  /** The first context that receives another value. */
  readonly example?: Difference
}

/** A context for which a flag has different values before and after the import. */
export interface Difference {
  readonly context: EvaluationContext
  readonly old: EvaluationOutcome
  readonly now: EvaluationOutcome
}

/** Both sides of a comparison. */
export interface Sides {
  readonly old: OldEvaluator
  /** Returns an evaluator of the imported flags of an environment. The evaluator is ready. */
  readonly now: (environmentKey: string) => Pick<Evaluator<Record<string, unknown>>, 'evaluate'>
}

/** Options of a comparison. */
export interface ComparisonOptions {
  /** Number of contexts with which each flag is tested, in each environment. */
  readonly contexts: number
  /** Checked before each flag. */
  readonly signal?: AbortSignal
  /** Called after each flag with the number of flags that were compared so far. */
  readonly onProgress?: (done: number) => void
}

/**
 * Evaluates every flag by the original rules and by the imported ones, on contexts sampled from what its rules mention.
 * Archived flags are included: SDKs do not receive them, so both sides must return the default in code.
 *
 * @throws the reason with which the signal is aborted.
 */
export async function compareProject(
  importedProject: ImportedProject,
  sides: Sides,
  { contexts, signal, onProgress }: ComparisonOptions,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const [index, flag] of importedProject.flags.entries()) {
    for (const environmentKey of Object.keys(flag.configs)) {
      signal?.throwIfAborted()
      const sampled = sampleContexts(importedProject, { flag, environmentKey }, { count: contexts, seed: 'import' })
      comparisons.push(await compareFlag(importedProject, { flag, environmentKey }, sampled, sides))
    }
    onProgress?.(index + 1)
  }
  return comparisons
}

/** Evaluates a flag for these contexts on both sides. */
export async function compareFlag(
  importedProject: ImportedProject,
  { flag, environmentKey }: FlagInEnvironment,
  contexts: readonly EvaluationContext[],
  sides: Sides,
): Promise<Comparison> {
  const evaluateBoth = bothEvaluator(flag, environmentKey, sides)
  const differences: Difference[] = []
  for (const context of contexts) {
    const { old, now } = await evaluateBoth(context)
    if (!isDeepStrictEqual(old.value, now.value)) differences.push({ context, old, now })
  }
  const [example] = differences
  const summary = {
    flag: flag.key,
    environment: environmentKey,
    contexts: contexts.length,
    differing: differences.length,
  }
  if (!example) return { ...summary, verdict: 'same' }
  const relatedRules = relatedRulesOf(importedProject, flag, environmentKey)
  const bases = differences.slice(0, maxBases).map(({ context }) => context)
  const byRollout =
    usesPercentages(relatedRules) && (await haveSameShares(bases, bucketingAttributes(relatedRules), evaluateBoth))
  return { ...summary, verdict: byRollout ? 'by-rollout' : 'differs', example }
}

type EvaluateBoth = (
  context: EvaluationContext,
) => Promise<{ readonly old: EvaluationOutcome; readonly now: EvaluationOutcome }>

function bothEvaluator({ key, from }: ImportedFlag, environmentKey: string, sides: Sides): EvaluateBoth {
  const evaluator = sides.now(environmentKey)
  return async (context) => {
    const old = await sides.old.evaluate({ environmentKey, from, context })
    const { value, reason } = evaluator.evaluate(key, context, undefined)
    return { old, now: { value, why: whyOf(reason) } }
  }
}

function whyOf({
  kind,
  ...details
}: {
  readonly kind: string
  readonly ruleIndex?: number
  readonly errorKind?: string
}): string {
  const { ruleIndex, errorKind } = details
  return [kind, ruleIndex, errorKind].filter((part) => part !== undefined).join(' ')
}

/**
 * The shares are compared for at most `maxBases` differing contexts. For each of these, the flag is evaluated with
 * `keysPerBase` other keys.
 */
const maxBases = 3
const keysPerBase = 10_000

async function haveSameShares(
  bases: readonly EvaluationContext[],
  attributes: readonly (readonly [string, string])[],
  evaluateBoth: EvaluateBoth,
): Promise<boolean> {
  for (const base of bases) {
    const [old, now]: [Tally, Tally] = [new Map(), new Map()]
    for (let number = 0; number < keysPerBase; number++) {
      const outcomes = await evaluateBoth(withOtherKeys(base, attributes, number))
      count(old, outcomes.old.value)
      count(now, outcomes.now.value)
    }
    if (!sharesAgree(old, now, keysPerBase)) return false
  }
  return true
}
