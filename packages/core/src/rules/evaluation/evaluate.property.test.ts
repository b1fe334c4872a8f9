import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluate, evaluateAll } from './evaluate.ts'
import type { FlagExplanation } from './evaluation-explanation.ts'
import { explainEvaluation } from './explain-evaluation.ts'
import { compileRuleset, removeFlag, removeSegment, replaceFlag, replaceSegment } from './ruleset.ts'
import { randomEnvironment } from './test/random-environment.ts'
import { evaluateWithModel } from './test/slow-model.ts'

const memberships = { a: { 's0.g2': true, 's1.g2': false, 's2.g1': true }, b: { 's2.g2': true } }

const bigSegments = (key: string) => {
  const lists = memberships[key as 'a']
  return lists && { status: 'HEALTHY' as const, lists: new Map(Object.entries(lists)) }
}

describe('evaluation', () => {
  it('returns the same outcome as a second implementation for random flags, segments and contexts', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(randomEnvironment, (environment) => {
        const ruleset = compileRuleset(environment)
        const modelEnvironment = { ...environment, memberships }
        for (const context of environment.contexts) {
          for (const { key } of environment.flags) {
            const outcome = evaluate(ruleset, key, context, { bigSegments })
            expect(outcome).toEqual(evaluateWithModel(modelEnvironment, key, context))
            const { kind } = outcome.reason
            seen.set(kind, (seen.get(kind) ?? 0) + 1)
          }
        }
      }),
      { numRuns: 200 },
    )
    // Each kind of reason must occur often: otherwise the random cases would test little.
    const kinds = ['OFF', 'FALLTHROUGH', 'TARGET_MATCH', 'RULE_MATCH', 'PREREQUISITE_FAILED', 'ERROR']
    expect(kinds.filter((kind) => (seen.get(kind) ?? 0) < 30)).toEqual([])
  })

  it('returns the same outcomes for all flags together as for each flag', () => {
    fc.assert(
      fc.property(randomEnvironment, (environment) => {
        const ruleset = compileRuleset(environment)
        for (const context of environment.contexts) {
          const separateResults = environment.flags.map(
            ({ key }) => [key, evaluate(ruleset, key, context, { bigSegments })] as const,
          )
          const all = evaluateAll(ruleset, context, { bigSegments })
          const knownFlags = separateResults.filter(
            ([, { reason }]) => !('errorKind' in reason && reason.errorKind === 'USER_NOT_SPECIFIED'),
          )
          expect(all).toEqual(Object.fromEntries(knownFlags))
        }
      }),
      { numRuns: 60 },
    )
  })

  it('returns the outcomes of a newly compiled ruleset after replacements, and leaves the previous ruleset unchanged', () => {
    fc.assert(
      fc.property(randomEnvironment, randomEnvironment, fc.subarray([0, 1, 2]), (before, after, changed) => {
        const first = compileRuleset(before)
        const outcomesBefore = before.contexts.map((context) => evaluateAll(first, context))
        let ruleset = first
        for (const index of changed) {
          ruleset = replaceFlag(ruleset, after.flags[index] as never)
          ruleset = replaceSegment(ruleset, after.segments[index] as never)
        }
        ruleset = removeSegment(removeFlag(ruleset, 'f4'), 's2')
        const pick = <T>(oldItems: readonly T[], newItems: readonly T[]) =>
          oldItems.map((item, index) => (changed.includes(index) ? (newItems[index] as T) : item)).slice(0, -1)
        const recompiled = compileRuleset({
          flags: pick(before.flags, after.flags),
          segments: pick(before.segments, after.segments),
        })
        for (const context of before.contexts) {
          expect(evaluateAll(ruleset, context)).toEqual(evaluateAll(recompiled, context))
        }
        expect(before.contexts.map((context) => evaluateAll(first, context))).toEqual(outcomesBefore)
      }),
      { numRuns: 60 },
    )
  })
})

describe('explainEvaluation', () => {
  it('returns the outcome of evaluate, with steps that lead to it', () => {
    fc.assert(
      fc.property(randomEnvironment, (environment) => {
        const ruleset = compileRuleset(environment)
        for (const context of environment.contexts) {
          for (const { key } of environment.flags) {
            const { value, variationIndex, reason, flag } = explainEvaluation(ruleset, key, context, { bigSegments })
            expect({ value, variationIndex, reason }).toEqual(evaluate(ruleset, key, context, { bigSegments }))
            if (flag) expect(leadsTo(flag)).toEqual([reason.kind, variationIndex])
          }
        }
      }),
      { numRuns: 60 },
    )
  })
})

/** Returns the kind of reason and the variation that follow from the steps alone. */
function leadsTo(flag: FlagExplanation): [string, number | null] {
  const { on, prerequisites, target, rules, fallthrough, outcome } = flag
  const failed = prerequisites.find(({ met }) => !met)
  const last = rules.at(-1)
  const serve = last?.serve ?? fallthrough
  const malformed = (index: number | null, kind: string): [string, number | null] => [
    index === null ? 'ERROR' : kind,
    index,
  ]
  if (!on) return [outcome.reason.kind === 'ERROR' ? 'ERROR' : 'OFF', outcome.variationIndex]
  if (failed?.isInCycle || failed?.flag?.outcome.reason.kind === 'ERROR') return ['ERROR', null]
  if (failed) return [outcome.reason.kind === 'ERROR' ? 'ERROR' : 'PREREQUISITE_FAILED', outcome.variationIndex]
  if (target) return malformed(outcome.variationIndex, 'TARGET_MATCH')
  if (!serve) return ['ERROR', null]
  return malformed(serve.variationIndex, last?.serve ? 'RULE_MATCH' : 'FALLTHROUGH')
}
