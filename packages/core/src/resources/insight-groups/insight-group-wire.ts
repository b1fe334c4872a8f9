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
    v.minLength(1, 'must name an application; leave it out for all'),
    v.maxLength(100, 'must name at most 100 applications'),
    v.check((keys) => new Set(keys).size === keys.length, 'must not repeat an application'),
    v.readonly(),
  )

/** What a caller may set on a group by a patch. */
export const insightGroupSettings = v.object({ name: name(), applicationKeys: v.optional(applicationKeys()) })

/** What a caller says to make a group. */
export const insightGroupRequest = v.strictObject({
  key: key(),
  ...insightGroupSettings.entries,
  projectKey: key(),
  environmentKey: key(),
})

/** What a single group can be expanded by. */
export const insightGroupQuery = v.object({ expand: expand('scores', 'environment') })

/** spec.md "Insight group". */
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

/** Shows a group as it is, and with what it is expanded by. */
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

/** Shows the environments of groups, in their order, in one question; undefined where one is gone meanwhile. */
export async function presentEnvironmentsOf(
  context: ReadContext,
  groups: readonly InsightGroup[],
): Promise<(EnvironmentAnswer | undefined)[]> {
  const found = await context.tx.getMany(environments, groups)
  return Promise.all(
    found.map((environment, at) => environment && presentEnvironment(context, groups[at]!.projectKey, environment)),
  )
}
