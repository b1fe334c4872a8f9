import * as v from 'valibot'
import { environments } from '../../models/environments/environment.ts'
import type { ReadContext } from '../../operation/context.ts'
import { expand, key, list, name, timestamp } from '../../operation/schema.ts'
import type { InsightScores } from '../../rules/insight-score/index.ts'
import {
  type EnvironmentResponse,
  environmentResponse,
  serializeEnvironment,
} from '../environments/environment-schema.ts'
import type { InsightGroup } from './insight-group.ts'
import { scoreMetadataResponse, scoresResponse, serializeScoreMetadata } from './score-response.ts'

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

const insightGroupObject = v.object({
  key: v.string(),
  name: v.string(),
  projectKey: v.string(),
  environmentKey: v.string(),
  createdAt: timestamp(),
  environment: v.optional(environmentResponse),
  scores: v.optional(scoresResponse),
  scoreMetadata: v.optional(scoreMetadataResponse),
  applicationKeys: v.optional(list(v.string())),
})

/** An insight group in a response. */
export interface InsightGroupResponse extends v.InferOutput<typeof insightGroupObject> {}

/** "Insight group" of the specification. */
export const insightGroupResponse: v.GenericSchema<InsightGroupResponse> = insightGroupObject

/** Serializes a group with its expanded parts. */
export function serializeInsightGroup(
  context: Pick<ReadContext, 'format' | 'readClock'>,
  group: InsightGroup,
  { scores, environment }: { readonly scores?: InsightScores; readonly environment?: EnvironmentResponse } = {},
): InsightGroupResponse {
  const { version, createdAt, ...properties } = group
  return {
    ...properties,
    createdAt: context.format.time(createdAt),
    ...(environment ? { environment } : {}),
    ...(scores ? { scores, scoreMetadata: serializeScoreMetadata(context) } : {}),
  }
}

/**
 * Serializes the environments of groups, in their order, read in one batch. The element of an environment that was
 * deleted concurrently is undefined.
 */
export async function serializeEnvironmentsOf(
  context: ReadContext,
  groups: readonly InsightGroup[],
): Promise<(EnvironmentResponse | undefined)[]> {
  const storedEnvironments = await context.tx.getMany(environments, groups)
  return Promise.all(
    storedEnvironments.map(
      (environment, index) => environment && serializeEnvironment(context, groups[index]!.projectKey, environment),
    ),
  )
}
