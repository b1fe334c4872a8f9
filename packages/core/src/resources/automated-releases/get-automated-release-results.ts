import * as v from 'valibot'
import { measuredResults } from '../../models/measurements/measured-results.ts'
import { operation } from '../../operation/operation.ts'
import { list, timestamp } from '../../operation/schema.ts'
import { wholeWeight } from '../../rules/targeting/serve.ts'
import { viewsProject } from '../projects/project-schema.ts'
import { checkRelease } from './judge-release.ts'
import { loadReleases } from './load-releases.ts'

const interval = v.object({ estimate: v.number(), lower: v.number(), upper: v.number() })

const measuredVariation = v.object({ variationId: v.string(), units: v.number() })

/** The comparison of both variations of a guarded release in its current or last stage. */
const releaseResultsResponse = v.object({
  stageIndex: v.number(),
  allocation: v.number(),
  updatedAt: v.optional(timestamp()),
  original: measuredVariation,
  target: measuredVariation,
  /**
   * P-value of the ratio of contexts: the probability of a ratio that differs at least as much from the ratio of the
   * stage.
   */
  sampleRatioPValue: v.number(),
  metrics: list(
    v.object({
      key: v.string(),
      name: v.string(),
      successCriteria: v.picklist(['HigherThanBaseline', 'LowerThanBaseline']),
      verdict: v.picklist(['collecting', 'healthy', 'regression']),
      /** Differences of the target variation from the original one; absent while there are too few contexts. */
      difference: v.optional(interval),
      relativeDifference: v.optional(interval),
    }),
  ),
})

export const getAutomatedReleaseResults = operation({
  id: 'getAutomatedReleaseResults',
  summary: 'Get the comparison of both variations of a guarded release in its current or last stage',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/flags/{flagKey}/environments/{environmentKey}/automated-releases/{id}/results',
  success: { status: 200, body: releaseResultsResponse },
  errors: ['not_found'],
  access: viewsProject,
  async handle({ tx, fail, format }, { params }) {
    const releases = await loadReleases(tx, params)
    const release = releases?.find(({ id }) => id === params.id) ?? fail('not_found')
    const { guard, stage, stages, originalVariationId, targetVariationId } = release
    const { measurementId } = guard ?? {}
    const measured = measurementId === undefined ? undefined : await measuredResults(tx, { ...params, measurementId })
    const { updatedAt, variations = [] } = measured ?? {}
    const report = measured && checkRelease(release, measured)
    return {
      stageIndex: stage,
      allocation: stages[stage]?.allocation ?? wholeWeight,
      ...(updatedAt === undefined ? {} : { updatedAt: format.time(updatedAt) }),
      original: { variationId: originalVariationId, units: variations[0]?.units ?? 0 },
      target: { variationId: targetVariationId, units: variations[1]?.units ?? 0 },
      sampleRatioPValue: report?.sampleRatioPValue ?? 1,
      metrics: (report?.metrics ?? []).flatMap(({ key, verdict, comparison }) => {
        const definition = measured?.measurement.metrics.find((metric) => metric.key === key)
        if (!definition) return []
        const { name, successCriteria } = definition
        const { difference, relativeDifference } = comparison ?? {}
        return {
          key,
          name,
          successCriteria,
          verdict,
          ...(difference ? { difference } : {}),
          ...(relativeDifference ? { relativeDifference } : {}),
        }
      }),
    }
  },
})
