import type { Member } from '../../models/members/member.ts'
import type { Team } from '../../models/teams/team.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { listed, named, type Sentence, type Subject, shortName } from '../../rules/sentences/sentence.ts'
import { editTeam } from './edit-team.ts'
import type { TeamInstruction } from './team-instruction.ts'

type SentencesByKind = {
  readonly [Kind in TeamInstruction['kind']]:
    | ((subject: Subject, instruction: Extract<TeamInstruction, { kind: Kind }>) => string)
    | 'membership'
}

/**
 * The sentences for the change log about each kind of instruction. Instructions about members are described by the
 * members who joined and left.
 */
const sentencesByKind: SentencesByKind = {
  updateName: ({ name, place }, { value }) => `renamed ${name} to ${shortName(value)}${place}`,
  updateDescription: ({ it }) => `changed the description of ${it}`,
  addCustomRoles: ({ it, nameOf }, { values }) =>
    `added ${named(
      values.map((key) => nameOf('role', key)),
      'roles',
    )} to ${it}`,
  removeCustomRoles: ({ it, nameOf }, { values }) =>
    `removed ${named(
      values.map((key) => nameOf('role', key)),
      'roles',
    )} from ${it}`,
  addMembers: 'membership',
  removeMembers: 'membership',
  replaceMembers: 'membership',
  addPermissionGrants: ({ it, nameOf }, { memberIDs }) =>
    `granted permissions for ${it} to ${listed(memberIDs.map((id) => nameOf('member', id)))}`,
  removePermissionGrants: ({ it, nameOf }, { memberIDs }) =>
    `revoked permissions for ${it} from ${listed(memberIDs.map((id) => nameOf('member', id)))}`,
  addRoleAttribute: ({ it }, { key, values }) =>
    `added ${named(values, 'values')} to the role attribute ${key} of ${it}`,
  updateRoleAttribute: ({ it }, { key }) => `replaced the values of the role attribute ${key} of ${it}`,
  removeRoleAttribute: ({ it }, { key }) => `removed the role attribute ${key} from ${it}`,
  replaceRoleAttributes: ({ it }) => `replaced the role attributes of ${it}`,
}

/** Returns the sentences about the instructions that change the document of a team, in their order. */
export function teamSentences(team: Team, instructions: readonly TeamInstruction[], now: number): readonly Sentence[] {
  let state = team
  return instructions.flatMap((instruction) => {
    const before = state
    state = editTeam(before, [instruction], now).team
    const sentence = sentencesByKind[instruction.kind]
    if (sentence === 'membership' || jsonEqual(before, state)) return []
    return (subject: Subject) => (sentence as (subject: Subject, of: TeamInstruction) => string)(subject, instruction)
  })
}

/** Returns the sentences about the members who joined a team and who left it. */
export function memberSentences(joined: readonly Member[], left: readonly Member[]): readonly Sentence[] {
  const names = (list: readonly Member[]) =>
    named(
      list.map(({ email }) => email),
      'members',
    )
  return [
    ...(joined.length > 0 ? [({ it }: Subject) => `added ${names(joined)} to ${it}`] : []),
    ...(left.length > 0 ? [({ it }: Subject) => `removed ${names(left)} from ${it}`] : []),
  ]
}
