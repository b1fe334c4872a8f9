import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import type { ReadContext } from '../../operation/context.ts'
import { expand, key, list, name, timestamp } from '../../operation/schema.ts'
import type { InsightScores } from '../../rules/insight-score/index.ts'
import { type EnvironmentAnswer, environmentWire, presentEnvironment } from '../environments/environment-wire.ts'
import type { InsightGroup } from './insight-group.ts'
import { presentScoreMetadata, scoreMetadataWire, scoresWire } from './score-wire.ts'

const applicationKeys = () =>
  v.pipe(
    v.array(key()),
    v.minLength(1, 'must contain at least 1 application; omit it for all'),
    v.maxLength(100, 'must contain at most 100 applications'),
    v.check((keys) => new Set(keys).size === keys.length, 'must not repeat an application'),
    v.readonly(),
  )

/** Properties of a group that a caller may set by a patch. */
export const insightGroupSettings = v.object({ name: name(), applicationKeys: v.optional(applicationKeys()) })

/** Request body of the creation of a group. */
export const insightGroupRequest = v.strictObject({
  key: key(),
  ...insightGroupSettings.entries,
  projectKey: key(),
  environmentKey: key(),
})

/** Query parameters of a single group. */
export const insightGroupQuery = v.object({ expand: expand('scores', 'environment') })

/** "Insight group" of the specification. */
export const insightGroupWire = v.object({
  key: v.string(),
  name: v.string(),
  projectKey: v.string(),
  environmentKey: v.string(),
  createdAt: timestamp(),
  environment: v.optional(environmentWire),
  scores: v.optional(scoresWire),
  scoreMetadata: v.optional(scoreMetadataWire),
  applicationKeys: v.optional(list(v.string())),
})

export type InsightGroupAnswer = v.InferOutput<typeof insightGroupWire>

/** Serializes a group with its expanded parts. */
export function presentInsightGroup(
  context: Pick<ReadContext, 'format' | 'readClock'>,
  group: InsightGroup,
  { scores, environment }: { readonly scores?: InsightScores; readonly environment?: EnvironmentAnswer } = {},
): InsightGroupAnswer {
  const { version, createdAt, ...shown } = group
  return {
    ...shown,
    createdAt: context.format.time(createdAt),
    ...(environment ? { environment } : {}),
    ...(scores ? { scores, scoreMetadata: presentScoreMetadata(context) } : {}),
  }
}

/**
 * Serializes the environments of groups, in their order, read in one batch. Undefined for environments that were
 * deleted concurrently.
 */
export async function presentEnvironmentsOf(
  context: ReadContext,
  groups: readonly InsightGroup[],
): Promise<(EnvironmentAnswer | undefined)[]> {
  const found = await context.tx.getMany(environments, groups)
  return Promise.all(
    found.map((environment, at) => environment && presentEnvironment(context, groups[at]!.projectKey, environment)),
  )
}
