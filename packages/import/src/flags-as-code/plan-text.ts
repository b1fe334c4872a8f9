import type { FlagsPlan, PlanEffect, PlanEffectResult, PlanOptions } from './plan.ts'

/** Maximum number of contexts that the text names for a resource. */
const maxNamed = 5

/**
 * Returns a plan as text for people: a line for each sentence, by resource, then the contexts that would change.
 *
 * @example
 * ```ts
 * import { applyPlan, parseProjectFile, planFlags, planText, pullFlags } from '@halyard/import'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * await engine.given.flag('web', 'checkout')
 * const target = { api: engine.as({ role: 'owner' }) }
 * const text = await pullFlags(target, 'web')
 * const file = parseProjectFile(text.replace('on: false', 'on: true'))
 * const plan = await planFlags(target, file)
 * console.log(planText(plan).split('\n')[1]?.trim()) // turned on checkout in Production
 * await applyPlan(target, plan)
 * ```
 */
export function planText(plan: FlagsPlan, { prune = false }: Pick<PlanOptions, 'prune'> = {}): string {
  const { steps, unlisted } = plan
  const lines = steps.flatMap(({ resource, sentences, needsApproval }) => [
    needsApproval ? `${resource}: requires approval` : resource,
    ...sentences.map((sentence) => `  ${sentence}`),
  ])
  const remaining = prune ? [] : unlisted.map((resource) => `${resource} is not in the file; --prune would delete it`)
  const all = [...(steps.length === 0 ? ['no changes'] : [...lines, ...effectLines(plan)]), ...remaining]
  return `${all.map(printable).join('\n')}\n`
}

/**
 * Returns lines about the contexts that would change. A plan that an earlier version has stored contains no `effects`.
 */
function effectLines({ effects = [], evaluatedContexts = 0 }: Partial<FlagsPlan>): string[] {
  if (evaluatedContexts === 0) return ['no contexts were evaluated recently; --contexts names some to compare']
  if (effects.length === 0) return [`none of ${evaluatedContexts} contexts would get another variation`]
  return effects.flatMap(({ resource, environmentKey, evaluated, changed, contexts }) => [
    `${resource} in ${environmentKey}: ${changed} of ${evaluated} contexts would get another variation`,
    ...contexts.slice(0, maxNamed).map((context) => `  ${contextText(context)}`),
    ...(changed > maxNamed ? [`  and ${changed - maxNamed} more`] : []),
  ])
}

function contextText({ keys, before, after }: PlanEffect['contexts'][number]): string {
  const names = Object.entries(keys).map(([kind, key]) => `${kind} ${key}`)
  return `${names.join(' + ')}: ${resultText(before)} -> ${resultText(after)}`
}

function resultText({ variation, value }: PlanEffectResult): string {
  return variation === null ? 'the default' : JSON.stringify(value)
}

/** Replaces control characters, because keys of contexts could otherwise move the cursor of a terminal. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, '\uFFFD')
}
