import type { WriteContext } from '../operation/context.ts'
import type { Writer } from '../storage/writer.ts'
import { flagUses } from './flag-evaluations/flag-evaluation.ts'
import type { FlagKeys } from './flags/flag.ts'
import type { ConfigKeys } from './flags/flag-config.ts'
import type { Member } from './members/member.ts'
import { releases } from './releases/release.ts'
import type { SegmentKeys } from './segments/segment.ts'
import { leaveTeams } from './teams/leave-teams.ts'
import { deleteLinksOfEnvironment, deleteLinksOfFlag, deleteLinksOfSegment } from './views/view-link.ts'

// A resource may store documents about another resource outside the address of that other resource. It registers here
// what it does when the other resource is deleted. The deleting operation runs the list and imports no other resource.
// An engine of selected operations has the complete lists, because engines with other operations may share its storage.

/** Deletes or changes documents of a resource in the unit of work that deletes another resource. */
type RemovalFollowUp<Keys> = (tx: Writer, keys: Keys) => void

/** Run when a flag is deleted. */
export const flagRemovalFollowUps: readonly RemovalFollowUp<FlagKeys>[] = [
  (tx, keys) => tx.discard(releases, keys),
  deleteLinksOfFlag,
]

/** Run when a flag is deleted, for each environment of its project. */
export const flagConfigRemovalFollowUps: readonly RemovalFollowUp<ConfigKeys>[] = [
  (tx, keys) => tx.discard(flagUses, keys),
]

/** Run when a segment is deleted. */
export const segmentRemovalFollowUps: readonly RemovalFollowUp<SegmentKeys>[] = [deleteLinksOfSegment]

/** Run when an environment is deleted. Its flags and segments are deleted with it, without their own follow-ups. */
export const environmentRemovalFollowUps: readonly RemovalFollowUp<Omit<ConfigKeys, 'flagKey'>>[] = [
  deleteLinksOfEnvironment,
]

/** Run when a member is removed from the account. They read the member's teams before they write. */
export const memberRemovalFollowUps: readonly ((context: WriteContext, member: Member) => Promise<void>)[] = [
  leaveTeams,
]
