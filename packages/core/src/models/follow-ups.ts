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

// A resource that keeps documents about a thing outside the address of the thing registers here what it does when the
// thing is removed. The operation that removes the thing calls the list and imports no other resource. An engine made of
// chosen operations has the whole list of each removal, as engines with other operations may share its storage.

/** What a resource does in the unit of work that removes a thing. */
type RemovalFollowUp<Keys> = (tx: Writer, keys: Keys) => void

/** Runs when a flag is removed. */
export const flagRemovalFollowUps: readonly RemovalFollowUp<FlagKeys>[] = [
  (tx, keys) => tx.discard(releases, keys),
  deleteLinksOfFlag,
]

/** Runs when a flag is removed, for each environment of its project. */
export const flagConfigRemovalFollowUps: readonly RemovalFollowUp<ConfigKeys>[] = [
  (tx, keys) => tx.discard(flagUses, keys),
]

/** Runs when a segment is removed. */
export const segmentRemovalFollowUps: readonly RemovalFollowUp<SegmentKeys>[] = [deleteLinksOfSegment]

/** Runs when an environment is removed; its flags and segments are removed with it, without their own follow-ups. */
export const environmentRemovalFollowUps: readonly RemovalFollowUp<Omit<ConfigKeys, 'flagKey'>>[] = [
  deleteLinksOfEnvironment,
]

/** Runs when a member is removed from the account. They read teams before they write. */
export const memberRemovalFollowUps: readonly ((context: WriteContext, member: Member) => Promise<void>)[] = [
  leaveTeams,
]
