import { approvalRequests } from '../../models/approval-requests/approval-request.ts'
import { flagFollowers, followerIds, withoutFollower } from '../../models/flag-followers/flag-followers.ts'
import { members } from '../../models/members/member.ts'
import { relayConfigs } from '../../models/relay-configs/relay-config.ts'
import { roles } from '../../models/roles/role.ts'
import { scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { withoutGrants } from '../../models/teams/permission.ts'
import { teams } from '../../models/teams/team.ts'
import type { Mandate } from '../../models/tokens/mandate.ts'
import { tokens } from '../../models/tokens/token.ts'
import { workflows } from '../../models/workflows/workflow.ts'
import type { Grant } from '../../operation/caller.ts'
import { type ReferenceRow, referenceRow } from '../../operation/reference-row.ts'
import { flagTriggers } from '../flag-triggers/flag-trigger.ts'

interface RoleKeys {
  readonly roleKey: string
}

const rolesOf = (grants: readonly Grant[]): RoleKeys[] =>
  grants.flatMap(({ customRoles = [] }) => customRoles.map((roleKey) => ({ roleKey })))

function withoutRole(grant: Grant, { roleKey }: RoleKeys): Grant {
  const { customRoles } = grant
  return customRoles?.includes(roleKey)
    ? { ...grant, customRoles: customRoles.filter((key) => key !== roleKey) }
    : grant
}

function mandateWithoutRole<M extends Mandate | undefined>(mandate: M, target: RoleKeys): M {
  return mandate && { ...mandate, grants: mandate.grants.map((grant) => withoutRole(grant, target)) }
}

const limits = 'The rights of the caller were limited by the role, and are now limited without it.'

/** References to custom roles from members, teams and tokens. */
const roleReferences = [
  referenceRow({
    from: tokens,
    property: 'grant.customRoles',
    to: roles,
    rule: 'refuse',
    targets: ({ grant }) => rolesOf([grant]),
    withoutReference: (token, target) => ({ ...token, grant: withoutRole(token.grant, target) }),
    leftBehind: true,
  }),
  referenceRow({
    from: tokens,
    property: 'ceiling.customRoles',
    to: roles,
    rule: 'detach',
    why: limits,
    targets: ({ ceiling }) => rolesOf(ceiling),
    withoutReference: (token, target) => ({
      ...token,
      ceiling: token.ceiling.map((grant) => withoutRole(grant, target)),
    }),
    leftBehind: true,
  }),
  referenceRow({
    from: members,
    property: 'customRoles',
    to: roles,
    rule: 'refuse',
    targets: ({ customRoles }) => customRoles.map((roleKey) => ({ roleKey })),
    withoutReference: (member, { roleKey }) => ({
      ...member,
      customRoles: member.customRoles.filter((key) => key !== roleKey),
    }),
    leftBehind: true,
  }),
  referenceRow({
    from: teams,
    property: 'customRoles.key',
    to: roles,
    rule: 'refuse',
    targets: ({ customRoles }) => customRoles.map(({ key }) => ({ roleKey: key })),
    withoutReference: (team, { roleKey }) => ({
      ...team,
      customRoles: team.customRoles.filter(({ key }) => key !== roleKey),
    }),
    leftBehind: true,
  }),
  referenceRow({
    from: scheduledChanges,
    property: 'mandate.grants.customRoles',
    to: roles,
    rule: 'detach',
    why: limits,
    targets: ({ mandate }) => rolesOf(mandate.grants),
    withoutReference: (change, target) => ({ ...change, mandate: mandateWithoutRole(change.mandate, target) }),
    leftBehind: true,
  }),
  referenceRow({
    from: workflows,
    property: 'mandate.grants.customRoles',
    to: roles,
    rule: 'detach',
    why: limits,
    targets: ({ mandate }) => rolesOf(mandate.grants),
    withoutReference: (workflow, target) => ({ ...workflow, mandate: mandateWithoutRole(workflow.mandate, target) }),
    leftBehind: true,
  }),
  referenceRow({
    from: flagTriggers,
    property: 'mandate.grants.customRoles',
    to: roles,
    rule: 'detach',
    why: limits,
    targets: ({ mandate }) => rolesOf(mandate.grants),
    withoutReference: (trigger, target) => ({ ...trigger, mandate: mandateWithoutRole(trigger.mandate, target) }),
    leftBehind: true,
  }),
  referenceRow({
    from: relayConfigs,
    property: 'policyLimits.customRoles',
    otherProperties: ['keyLimits.customRoles', 'retiredLimits.customRoles'],
    to: roles,
    rule: 'detach',
    why: limits,
    targets: ({ policyLimits, keyLimits, retiredLimits = [] }) =>
      rolesOf([...policyLimits, ...keyLimits, ...retiredLimits]),
    withoutReference(config, target) {
      const { policyLimits, keyLimits, retiredLimits } = config
      const withoutTarget = (grants: readonly Grant[]) => grants.map((grant) => withoutRole(grant, target))
      return {
        ...config,
        policyLimits: withoutTarget(policyLimits),
        keyLimits: withoutTarget(keyLimits),
        ...(retiredLimits ? { retiredLimits: withoutTarget(retiredLimits) } : {}),
      }
    },
  }),
  ...Object.values(approvalRequests).map((requests) =>
    referenceRow({
      from: requests,
      property: 'mandate.grants.customRoles',
      to: roles,
      rule: 'detach',
      why: limits,
      targets: ({ mandate }) => rolesOf(mandate?.grants ?? []),
      withoutReference: (request, target) => ({ ...request, mandate: mandateWithoutRole(request.mandate, target) }),
      leftBehind: true,
    }),
  ),
]

/** References between members and teams. */
const membershipReferences = [
  referenceRow({
    from: members,
    property: 'teamKeys',
    to: teams,
    rule: 'refuse',
    targets: ({ teamKeys = [] }) => teamKeys.map((teamKey) => ({ teamKey })),
    where: ({ teamKey }) => [{ op: 'equals', field: 'teamKeys', value: teamKey }],
    withoutReference: (member, { teamKey }) => ({
      ...member,
      teamKeys: member.teamKeys?.filter((key) => key !== teamKey),
    }),
    async save(context, { keys, before, after = before, target }) {
      await context.demand('updateTeamMembers', teams, target)
      context.tx.follow(members, keys, before, after)
    },
  }),
  referenceRow({
    from: members,
    property: 'managedTeamKeys',
    to: teams,
    rule: 'detach',
    why: 'The rights in the team end with the team.',
    targets: ({ managedTeamKeys = [] }) => managedTeamKeys.map((teamKey) => ({ teamKey })),
    withoutReference: (member, { teamKey }) => ({
      ...member,
      managedTeamKeys: member.managedTeamKeys?.filter((key) => key !== teamKey),
    }),
  }),
  referenceRow({
    from: flagFollowers,
    property: 'since',
    to: members,
    rule: 'detach',
    why: 'A member can leave at any time, and follows no flag then.',
    targets: (followers) => followerIds(followers).map((memberId) => ({ memberId })),
    where: ({ memberId }) => [{ op: 'equals', field: 'memberIds', value: memberId }],
    withoutReference: (followers, { memberId }) => withoutFollower(followers, memberId),
    unchecked: true,
  }),
  referenceRow({
    from: teams,
    property: 'permissionGrants.memberIDs',
    to: members,
    rule: 'detach',
    why: 'The rights of a member end with the member.',
    targets: ({ permissionGrants }) =>
      permissionGrants.flatMap(({ memberIDs }) => memberIDs.map((memberId) => ({ memberId }))),
    withoutReference: (team, { memberId }) => ({
      ...team,
      permissionGrants: withoutGrants(team.permissionGrants, [memberId]),
    }),
    unchecked: true,
  }),
]

/** References to the members and teams that are notified of approval requests. */
const notifiedReferences = Object.values(approvalRequests).flatMap((requests) => [
  referenceRow({
    from: requests,
    property: 'notifyMemberIds',
    to: members,
    rule: 'detach',
    why: 'A member who was deleted is not notified.',
    targets: ({ notifyMemberIds }) => notifyMemberIds.map((memberId) => ({ memberId })),
    where: ({ memberId }) => [{ op: 'equals', field: 'notifyMemberIds', value: memberId }],
    withoutReference: (request, { memberId }) => ({
      ...request,
      notifyMemberIds: request.notifyMemberIds.filter((id) => id !== memberId),
    }),
    unchecked: true,
  }),
  referenceRow({
    from: requests,
    property: 'notifyTeamKeys',
    to: teams,
    rule: 'detach',
    why: 'A team that was deleted is not notified.',
    targets: ({ notifyTeamKeys }) => notifyTeamKeys.map((teamKey) => ({ teamKey })),
    withoutReference: (request, { teamKey }) => ({
      ...request,
      notifyTeamKeys: request.notifyTeamKeys.filter((key) => key !== teamKey),
    }),
    leftBehind: true,
  }),
])

/** References between the resources of the account. */
export const accountReferences: readonly ReferenceRow[] = [
  ...roleReferences,
  ...membershipReferences,
  ...notifiedReferences,
]
