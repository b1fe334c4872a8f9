import { compileRuleset, type EvaluationContext, evaluate, type FlagData, re2Pattern } from '@halyard/core/evaluation'
import { type Comparison, compareFlag } from '../comparison/differential.ts'
import { loadPeer } from '../comparison/load-peer.ts'
import { type Rehearsal, rehearse } from '../comparison/rehearse.ts'
import { sampleContexts } from '../comparison/sample-contexts.ts'
import type { FlagFormat, ReadOptions } from '../flag-format.ts'
import type { Loss, MovedProject } from '../moved-project.ts'
import type { Written } from '../write-moved.ts'

export interface ComparedExport {
  readonly moved: MovedProject
  readonly written: Written
  readonly comparisons: readonly Comparison[]
  /** Returns the losses with these effects of a flag and of the flags that it depends on. */
  readonly lossesOf: (flag: string, effects: readonly Loss['affects'][]) => readonly Loss[]
}

export interface ContextsToCompare {
  /** Contexts that the test provides. */
  readonly contexts: readonly EvaluationContext[]
  /** Number of contexts that are sampled additionally. */
  readonly sampled: number
  /** Whether the project is written to an engine, which takes most of the time, or evaluated directly. */
  readonly written: boolean
}

/** Reads an export, and compares each flag with the result of the vendor's evaluator. */
export async function compareExport(
  format: FlagFormat,
  exported: readonly unknown[],
  { contexts, sampled, written }: ContextsToCompare,
  options: ReadOptions = {},
): Promise<ComparedExport> {
  const read = format.read(exported, options)
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  const { moved } = read
  const { evaluator } = format
  if (!evaluator) throw new Error(`${format.name} has no evaluator`)
  const old = await evaluator.open(await loadPeer(evaluator.package), exported, options)
  const rehearsal = written ? await rehearse(moved, new AbortController().signal) : evaluated(moved)
  try {
    const comparisons: Comparison[] = []
    for (const flag of moved.flags) {
      for (const environment of Object.keys(flag.configs)) {
        const more = sampleContexts(moved, flag, environment, { count: sampled, seed: 'test' })
        const sides = { old, now: rehearsal.now }
        comparisons.push(await compareFlag(moved, flag, environment, [...contexts, ...more], sides))
      }
    }
    return { moved, written: rehearsal.written, comparisons, lossesOf: losser(moved) }
  } finally {
    await rehearsal.close()
    await old.close()
  }
}

/** Evaluates the rules without an engine. */
function evaluated(moved: MovedProject): Rehearsal {
  const rulesets = new Map(
    moved.environments.map(({ key }) => {
      const flags = moved.flags.flatMap((flag): FlagData[] => {
        const config = flag.configs[key]
        const variations = (flag.variations ?? []).map(({ value }) => value)
        if (!config || flag.archived) return []
        // A list of other kinds has the order of all targets: users come first.
        const users = config.targets.map((target) => ({ ...target, values: [] }))
        const contextTargets = config.contextTargets.length > 0 ? [...users, ...config.contextTargets] : []
        return [{ key: flag.key, salt: '', variations, ...config, contextTargets }]
      })
      const segments = moved.segments.filter((one) => one.environmentKey === key)
      return [key, compileRuleset({ flags, segments, compilePattern: re2Pattern })]
    }),
  )
  const none = { created: 0, changed: 0, unchanged: 0 }
  return {
    written: { flags: none, segments: { ...none, deleted: 0 }, refused: [] },
    now: (environmentKey) => {
      const ruleset = rulesets.get(environmentKey) as ReturnType<typeof compileRuleset>
      return { evaluate: (flag, context) => evaluate(ruleset, flag, context) as never }
    },
    close: async () => {},
  }
}

function losser({ flags, losses }: MovedProject): ComparedExport['lossesOf'] {
  const parents = (key: string): string[] =>
    Object.values(flags.find((one) => one.key === key)?.configs ?? {}).flatMap(({ prerequisites }) =>
      prerequisites.map((one) => one.key),
    )
  return (flag, effects) => {
    const standsOn = new Set([flag])
    for (const key of standsOn) for (const parent of parents(key)) standsOn.add(parent)
    return losses.filter(
      (loss) => effects.includes(loss.affects) && (loss.flag === undefined || standsOn.has(loss.flag)),
    )
  }
}
