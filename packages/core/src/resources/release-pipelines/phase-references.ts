import { environments } from '../../models/environments/environment.ts'
import { members } from '../../models/members/member.ts'
import type { Audience } from '../../models/release-pipelines/release-pipeline.ts'
import { segments } from '../../models/segments/segment.ts'
import { teams } from '../../models/teams/team.ts'
import { type Reference, reference } from '../../operation/references.ts'
import type { Recipients } from './audience-schema.ts'

type Phases = readonly { readonly audiences: readonly Audience[] }[]

/**
 * Returns the references that a change of phases adds. Existing references are not included, because their targets may
 * have been deleted.
 */
export function addedReferences(projectKey: string, before: Phases, after: Phases): Reference[] {
  const knownTargets = new Set(referencesIn(projectKey, before).map(targetOf))
  return referencesIn(projectKey, after).filter((candidate) => !knownTargets.has(targetOf(candidate)))
}

function targetOf({ collection, keys }: Reference): string {
  const { scope, key } = collection.id(keys)
  return `${collection.name}\n${scope}\n${key}`
}

function referencesIn(projectKey: string, phases: Phases): Reference[] {
  return phases.flatMap(({ audiences }, index) =>
    audiences.flatMap((audience, i) => audienceReferences(projectKey, audience, `phases.${index}.audiences.${i}`)),
  )
}

function audienceReferences(projectKey: string, audience: Audience, path: string): Reference[] {
  const { environmentKey, segmentKeys, configuration } = audience
  const environmentKeys = { projectKey, environmentKey }
  return [
    reference(
      `${path}.environmentKey`,
      environments,
      environmentKeys,
      'must be the key of an environment of the project',
    ),
    ...segmentKeys.map((segmentKey, i) =>
      reference(
        `${path}.segmentKeys.${i}`,
        segments,
        { ...environmentKeys, segmentKey },
        'must be the key of a segment of the environment',
      ),
    ),
    ...recipientReferences(configuration, `${path}.configuration`),
  ]
}

/** Returns the members and teams that are notified of a release. */
export function recipientReferences({ notifyMemberIds, notifyTeamKeys }: Recipients = {}, path: string): Reference[] {
  return [
    ...(notifyMemberIds ?? []).map((memberId, i) =>
      reference(`${path}.notifyMemberIds.${i}`, members, { memberId }, 'must be the id of a member'),
    ),
    ...(notifyTeamKeys ?? []).map((teamKey, i) =>
      reference(`${path}.notifyTeamKeys.${i}`, teams, { teamKey }, 'must be the key of a team'),
    ),
  ]
}
