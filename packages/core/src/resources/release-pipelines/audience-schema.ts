import * as v from 'valibot'
import { type Environment, environments } from '../../models/environments/environment.ts'
import { type Audience, environmentsIn } from '../../models/release-pipelines/release-pipeline.ts'
import type { ReadContext } from '../../operation/context.ts'
import { linkTo, path } from '../../operation/link.ts'
import { key, links, list, name } from '../../operation/schema.ts'
import { distinctKeys } from '../members/member-schema.ts'
import { contextKind } from '../targeting/clause-schema.ts'
import { memberIds } from '../teams/team-instruction.ts'

const nonNegativeInteger = () =>
  v.pipe(v.number(), v.integer('must be an integer'), v.minValue(0, 'must not be negative'))

export const releaseGuardianConfiguration = v.strictObject({
  monitoringWindowMilliseconds: v.pipe(nonNegativeInteger(), v.safeInteger('must be a safe integer')),
  rolloutWeight: v.pipe(nonNegativeInteger(), v.maxValue(100, 'must be at most 100')),
  rollbackOnRegression: v.boolean(),
  randomizationUnit: v.optional(contextKind()),
})

const audienceConfiguration = v.strictObject({
  releaseStrategy: name(),
  requireApproval: v.boolean(),
  notifyMemberIds: v.optional(memberIds(), []),
  notifyTeamKeys: v.optional(distinctKeys(), []),
  releaseGuardianConfiguration: v.optional(releaseGuardianConfiguration),
})

/** An audience in a request. */
export const audienceRequest = v.strictObject({
  environmentKey: key(),
  name: name(),
  segmentKeys: v.optional(distinctKeys(), []),
  configuration: v.optional(audienceConfiguration),
})

export const audienceResponse = v.object({
  name: v.string(),
  environment: v.optional(v.object({ _links: links(), key: v.string(), name: v.string(), color: v.string() })),
  configuration: v.optional(
    v.object({
      releaseStrategy: v.string(),
      requireApproval: v.boolean(),
      notifyMemberIds: list(v.string()),
      notifyTeamKeys: list(v.string()),
      releaseGuardianConfiguration: v.optional(
        v.object({
          monitoringWindowMilliseconds: v.number(),
          rolloutWeight: v.number(),
          rollbackOnRegression: v.boolean(),
          randomizationUnit: v.optional(v.string()),
        }),
      ),
    }),
  ),
  segmentKeys: list(v.string()),
})

/** Maximum number of environments, segments, members and teams that a request refers to, because each is looked up. */
const maxReferences = 5_000

/** Rejects lists of audiences that together have too many references. */
export const checkReferenceCount = <List>(referencesOf: (list: List) => readonly unknown[]) =>
  v.check<List, string>(
    (list) => referencesOf(list).length <= maxReferences,
    `must not refer to more than ${maxReferences} environments, segments, members and teams`,
  )

/** Returns the members and teams that are notified of a release. */
export function recipientsOf({ notifyMemberIds = [], notifyTeamKeys = [] }: Recipients): readonly string[] {
  return [...notifyMemberIds, ...notifyTeamKeys]
}

export interface Recipients {
  readonly notifyMemberIds?: readonly string[]
  readonly notifyTeamKeys?: readonly string[]
}

type SerializeAudience = (audience: Audience) => v.InferOutput<typeof audienceResponse>

/**
 * Reads the environments of some phases, and returns a function that serializes audiences with them. Deleted
 * environments are omitted.
 */
export async function audienceSerializer(
  { tx }: ReadContext,
  projectKey: string,
  phases: readonly { readonly audiences: readonly Audience[] }[],
): Promise<SerializeAudience> {
  const keys = environmentsIn(phases)
  const storedEnvironments = await tx.getMany(
    environments,
    keys.map((environmentKey) => ({ projectKey, environmentKey })),
  )
  const byKey = new Map(keys.map((environmentKey, index) => [environmentKey, storedEnvironments[index]]))
  return ({ name, environmentKey, configuration, segmentKeys }) => {
    const environment = byKey.get(environmentKey)
    return {
      name,
      ...(environment ? { environment: serializeEnvironmentSummary(projectKey, environment) } : {}),
      ...(configuration ? { configuration } : {}),
      segmentKeys,
    }
  }
}

function serializeEnvironmentSummary(
  projectKey: string,
  { key: environmentKey, name: environmentName, color }: Environment,
) {
  const self = path`/api/v2/projects/${projectKey}/environments/${environmentKey}`
  return { _links: { self: linkTo(self) }, key: environmentKey, name: environmentName, color }
}
