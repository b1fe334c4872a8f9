import type { VariationResults } from '../../../models/measurements/measured-results.ts'
import type { Measurement } from '../../../models/measurements/measurement.ts'
import {
  type AnalysisOptions,
  analyze,
  analyzeFunnel,
  type MetricAnalysis,
} from '../../../rules/experiments/analysis.ts'
import type { MeasuredGroup } from '../../../rules/measurement/metric-definition.ts'

/** The results of a metric under the name that it has in its group. */
export interface NamedAnalysis extends MetricAnalysis {
  readonly name: string
}

/** The results of the metrics of a group. */
export interface GroupAnalysis {
  readonly key: string
  readonly name: string
  readonly kind: MeasuredGroup['kind']
  /**
   * Results in the order of the group. In a funnel they are its steps: for each, the share of units that reached it,
   * among units that reached the previous step.
   */
  readonly metrics: readonly NamedAnalysis[]
  /** The share of all units that reached the last step of a funnel. */
  readonly completion?: NamedAnalysis
}

/** The results of all metrics of a measurement, one by one and by group. */
export interface Analyses {
  readonly metrics: readonly MetricAnalysis[]
  readonly groups: readonly GroupAnalysis[]
}

/** Analyzes the measured sums of the variations of a measurement. */
export function analyzeAll(
  { groups = [] }: Measurement,
  variations: readonly VariationResults[],
  options: AnalysisOptions,
): Analyses {
  const analyzed = analyze(variations, options)
  const byKey = new Map(analyzed.map((analysis) => [analysis.definition.key, analysis]))
  let funnel = 0
  return {
    metrics: analyzed,
    groups: groups.map(({ key, name, kind, metrics }) => {
      const known = metrics.flatMap((metric) => byKey.get(metric.key) ?? [])
      const definitions = known.map(({ definition }) => definition)
      const results = kind === 'funnel' ? analyzeFunnel(variations, funnel++, definitions, options) : known
      const namedAnalyses = results.map((analysis, index) => {
        const { nameInGroup = analysis.definition.name } = metrics[index] ?? {}
        return { ...analysis, name: nameInGroup }
      })
      const [completion] = namedAnalyses.slice(metrics.length)
      return { key, name, kind, metrics: namedAnalyses.slice(0, metrics.length), ...(completion ? { completion } : {}) }
    }),
  }
}
