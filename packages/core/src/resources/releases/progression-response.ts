import * as v from 'valibot'
import type { ResponseFormat } from '../../operation/context.ts'
import { links, list, timestamp } from '../../operation/schema.ts'
import type { Row } from '../../storage/reader.ts'
import { releaseLinks } from './release-schema.ts'

const progressionResponse = v.object({
  createdAt: timestamp(),
  completedAt: v.optional(timestamp()),
  flagKey: v.string(),
  activePhaseId: v.optional(v.string()),
  activePhaseStatus: v.optional(v.string()),
  _links: links(),
})

/** The releases in a pipeline. A phase counts the releases that are in it. */
export const progressionsResponse = v.object({
  activeCount: v.number(),
  completedCount: v.number(),
  items: list(progressionResponse),
  phases: list(v.object({ _id: v.string(), _name: v.string(), releaseCount: v.number() })),
  totalCount: v.number(),
  _links: links(),
})

/** Serializes the progress of a release from its narrow row. */
export function serializeProgression(
  { time }: ResponseFormat,
  projectKey: string,
  { key, fields }: Row,
): v.InferOutput<typeof progressionResponse> {
  const { createdAt, completedAt, activePhaseId, activePhaseStatus } = fields
  return {
    createdAt: time(Number(createdAt)),
    ...(typeof completedAt === 'number' ? { completedAt: time(completedAt) } : {}),
    flagKey: key,
    ...(activePhaseId ? { activePhaseId: String(activePhaseId) } : {}),
    ...(activePhaseStatus ? { activePhaseStatus: String(activePhaseStatus) } : {}),
    _links: releaseLinks(projectKey, key),
  }
}
