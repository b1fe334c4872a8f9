import * as v from 'valibot'
import { linkTo, path, selfAndParent } from '../../operation/link.ts'
import { links } from '../../operation/schema.ts'
import type { Row } from '../../storage/reader.ts'
import { optimizationPath } from './agent-optimization-schema.ts'
import { type OptimizationResult, resultActivities, resultStatuses } from './optimization-result.ts'
import { runFields } from './optimization-run.ts'

/** A run, with the state of its newest result. */
export const runResponse = v.object({
  _links: links(),
  runId: v.string(),
  optimizationKey: v.string(),
  agentOptimizationId: v.string(),
  agentOptimizationVersion: v.number(),
  status: v.picklist(resultStatuses),
  activity: v.picklist(resultActivities),
  iteration: v.number(),
  resultCount: v.number(),
  /**
   * Time of creation of the first result of the run. An integer, like all times of optimizations
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps).
   */
  createdAt: v.number(),
  updatedAt: v.number(),
  completedAt: v.optional(v.number()),
})

export function serializeRun(
  keys: { readonly projectKey: string; readonly optimizationKey: string },
  row: Row,
  newest: OptimizationResult,
): v.InferOutput<typeof runResponse> {
  const { runId, agentOptimizationId, agentOptimizationVersion, status, activity, iteration, updatedAt } = newest
  const parent = optimizationPath(keys)
  const self = `${parent}${path`/runs/${runId}`}`
  const { startedAt, resultCount } = runFields(row)
  return {
    _links: { ...selfAndParent(self, parent), results: linkTo(`${self}/results`) },
    runId,
    optimizationKey: keys.optimizationKey,
    agentOptimizationId,
    agentOptimizationVersion,
    status,
    activity,
    iteration,
    resultCount,
    createdAt: startedAt,
    updatedAt,
    ...(newest.completedAt === undefined ? {} : { completedAt: newest.completedAt }),
  }
}
