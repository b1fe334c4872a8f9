import { compileRuleset, type EvaluationContext, evaluate, type FlagData, re2Pattern } from '@halyard/core/evaluation'
import { type Comparison, compareFlag } from '../comparison/differential.ts'
import { type DryRunImport, dryRunImport } from '../comparison/dry-run-import.ts'
import { loadPeer } from '../comparison/load-peer.ts'
import { sampleContexts } from '../comparison/sample-contexts.ts'
import type { FlagFormat, ReadOptions } from '../flag-format.ts'
import type { ImportedProject, Loss } from '../imported-project.ts'
import type { WriteResult } from '../write-project.ts'

export interface ExportComparison {
  readonly importedProject: ImportedProject
  readonly written: WriteResult
  readonly comparisons: readonly Comparison[]
  /** Returns the losses with these effects of a flag and of the flags that it depends on. */
  readonly lossesOf: (flag: string, effects: readonly Loss['affects'][]) => readonly Loss[]
}

export interface ContextsToCompare {
  /** Contexts that the test provides. */
  readonly contexts: readonly EvaluationContext[]
  /** Number of contexts that are sampled additionally. */
  readonly sampled: number
  /** True to write the project to an engine, which takes most of the time; false to evaluate it directly. */
  readonly written: boolean
}

/** Reads an export, and compares each flag with the result of the vendor's evaluator. */
export async function compareExport(
  format: FlagFormat,
  exported: readonly unknown[],
  { contexts, sampled, written }: ContextsToCompare,
  options: ReadOptions = {},
): Promise<ExportComparison> {
  const read = format.read(exported, options)
  if (!read.ok) throw new Error(`${read.at} ${read.reason}`)
  const { importedProject } = read
  const { evaluator } = format
  if (!evaluator) throw new Error(`${format.name} has no evaluator`)
  const old = await evaluator.open(await loadPeer(evaluator.package), exported, options)
  const dryRun = written
    ? await dryRunImport(importedProject, new AbortController().signal)
    : evaluateDirectly(importedProject)
  try {
    const comparisons: Comparison[] = []
    for (const flag of importedProject.flags) {
      for (const environment of Object.keys(flag.configs)) {
        const sampledContexts = sampleContexts(
          importedProject,
          { flag, environmentKey: environment },
          { count: sampled, seed: 'test' },
        )
        const sides = { old, now: dryRun.now }
        comparisons.push(
          await compareFlag(
            importedProject,
            { flag, environmentKey: environment },
            [...contexts, ...sampledContexts],
            sides,
          ),
        )
      }
    }
    return { importedProject, written: dryRun.written, comparisons, lossesOf: lossFinder(importedProject) }
  } finally {
    await dryRun.close()
    await old.close()
  }
}

/** Evaluates the rules without an engine. */
function evaluateDirectly(importedProject: ImportedProject): DryRunImport {
  const rulesets = new Map(
    importedProject.environments.map(({ key }) => {
      const flags = importedProject.flags.flatMap((flag): FlagData[] => {
        const config = flag.configs[key]
        const variations = (flag.variations ?? []).map(({ value }) => value)
        if (!config || flag.archived) return []
        // If the list of targets for other kinds is not empty, it defines the order of all targets. Targets for users
        // come first.
        const users = config.targets.map((target) => ({ ...target, values: [] }))
        const contextTargets = config.contextTargets.length > 0 ? [...users, ...config.contextTargets] : []
        return [{ key: flag.key, salt: '', variations, ...config, contextTargets }]
      })
      const segments = importedProject.segments.filter((item) => item.environmentKey === key)
      return [key, compileRuleset({ flags, segments, compilePattern: re2Pattern })]
    }),
  )
  const zeroCounts = { created: 0, changed: 0, unchanged: 0 }
  return {
    written: { flags: zeroCounts, segments: { ...zeroCounts, deleted: 0 }, refused: [] },
    now: (environmentKey) => {
      const ruleset = rulesets.get(environmentKey) as ReturnType<typeof compileRuleset>
      return { evaluate: (flag, context) => evaluate(ruleset, flag, context) as never }
    },
    close: async () => {},
  }
}

function lossFinder({ flags, losses }: ImportedProject): ExportComparison['lossesOf'] {
  const parents = (key: string): string[] =>
    Object.values(flags.find((item) => item.key === key)?.configs ?? {}).flatMap(({ prerequisites }) =>
      prerequisites.map((item) => item.key),
    )
  return (flag, effects) => {
    const dependencies = new Set([flag])
    for (const key of dependencies) for (const parent of parents(key)) dependencies.add(parent)
    return losses.filter(
      (loss) => effects.includes(loss.affects) && (loss.flag === undefined || dependencies.has(loss.flag)),
    )
  }
}
