import { environments } from '../../models/environments/environment.ts'
import { members } from '../../models/members/member.ts'
import type { Audience } from '../../models/release-pipelines/release-pipeline.ts'
import { segments } from '../../models/segments/segment.ts'
import { teams } from '../../models/teams/team.ts'
import { type Reference, reference } from '../../operation/references.ts'
import type { Notified } from './audience-wire.ts'

type Phases = readonly { readonly audiences: readonly Audience[] }[]

/** Returns the references that a change of phases adds. References that exist may have been deleted since, and stay. */
export function addedReferences(projectKey: string, before: Phases, after: Phases): Reference[] {
  const known = new Set(referencesIn(projectKey, before).map(targetOf))
  return referencesIn(projectKey, after).filter((one) => !known.has(targetOf(one)))
}

function targetOf({ collection, keys }: Reference): string {
  const { scope, key } = collection.id(keys)
  return `${collection.name}\n${scope}\n${key}`
}

function referencesIn(projectKey: string, phases: Phases): Reference[] {
  return phases.flatMap(({ audiences }, at) =>
    audiences.flatMap((audience, i) => audienceReferences(projectKey, audience, `phases.${at}.audiences.${i}`)),
  )
}

function audienceReferences(projectKey: string, audience: Audience, at: string): Reference[] {
  const { environmentKey, segmentKeys, configuration } = audience
  const place = { projectKey, environmentKey }
  return [
    reference(`${at}.environmentKey`, environments, place, 'must be the key of an environment of the project'),
    ...segmentKeys.map((segmentKey, i) =>
      reference(
        `${at}.segmentKeys.${i}`,
        segments,
        { ...place, segmentKey },
        'must be the key of a segment of the environment',
      ),
    ),
    ...notifiedReferences(configuration, `${at}.configuration`),
  ]
}

/** Returns the members and teams that are notified of a release. */
export function notifiedReferences({ notifyMemberIds, notifyTeamKeys }: Notified = {}, at: string): Reference[] {
  return [
    ...(notifyMemberIds ?? []).map((memberId, i) =>
      reference(`${at}.notifyMemberIds.${i}`, members, { memberId }, 'must be the id of a member'),
    ),
    ...(notifyTeamKeys ?? []).map((teamKey, i) =>
      reference(`${at}.notifyTeamKeys.${i}`, teams, { teamKey }, 'must be the key of a team'),
    ),
  ]
}
