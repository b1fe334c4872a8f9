import { castDraft, type Draft, produce } from 'immer'
import { withGrants, withoutGrants } from '../../models/teams/permission.ts'
import type { Team } from '../../models/teams/team.ts'
import type { ValidationError } from '../../rules/json-guard.ts'
import { permissionsIn, type TeamInstruction } from './team-instruction.ts'

/** Changes of the members of a team, as a request describes them. */
export interface RosterEdit {
  /** True when members that the request does not name leave the team. */
  readonly replaces: boolean
  /** By member id: true if the member joins or stays in the team, false if the member leaves it. */
  readonly membershipById: ReadonlyMap<string, boolean>
}

/** Result of the instructions of a patch. */
export interface TeamEditResult {
  readonly team: Team
  /** Changes of the members of the team, which the team's document does not contain. */
  readonly roster: RosterEdit
  /** Validation errors of the instructions, each with its index; empty when all can be applied. */
  readonly errors: readonly ValidationError[]
}

/**
 * Applies the instructions of a semantic patch in order to the document of the team
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch).
 *
 * @param now time from which the team has the roles that it gets, integer ms.
 */
export function editTeam(team: Team, instructions: readonly TeamInstruction[], now: number): TeamEditResult {
  let roster: RosterEdit = { replaces: false, membershipById: new Map() }
  const errors: ValidationError[] = []
  const edited = produce(team, (draft) => {
    for (const [index, instruction] of instructions.entries()) {
      roster = editRoster(roster, instruction)
      const error = editDocument(draft, instruction, now)
      if (error) errors.push({ ...error, attribute: `instructions.${index}.${error.attribute}` })
    }
  })
  return { team: edited, roster, errors }
}

function editRoster({ replaces, membershipById }: RosterEdit, instruction: TeamInstruction): RosterEdit {
  switch (instruction.kind) {
    case 'addMembers':
    case 'removeMembers': {
      const isMember = instruction.kind === 'addMembers'
      return {
        replaces,
        membershipById: new Map([...membershipById, ...instruction.values.map((id) => [id, isMember] as const)]),
      }
    }
    case 'replaceMembers':
      return { replaces: true, membershipById: new Map(instruction.values.map((id) => [id, true])) }
    default:
      return { replaces, membershipById }
  }
}

function editDocument(draft: Draft<Team>, instruction: TeamInstruction, now: number): ValidationError | undefined {
  switch (instruction.kind) {
    case 'updateName':
      draft.name = instruction.value
      return undefined
    case 'updateDescription':
      draft.description = instruction.value
      return undefined
    case 'addCustomRoles': {
      const existingKeys = new Set(draft.customRoles.map(({ key }) => key))
      const added = instruction.values.filter((key) => !existingKeys.has(key))
      draft.customRoles.push(...added.map((key) => ({ key, appliedOn: now })))
      return undefined
    }
    case 'removeCustomRoles':
      draft.customRoles = draft.customRoles.filter(({ key }) => !instruction.values.includes(key))
      return undefined
    case 'addPermissionGrants': {
      const grants = withGrants(draft.permissionGrants, permissionsIn(instruction), instruction.memberIDs)
      draft.permissionGrants = castDraft(grants)
      return undefined
    }
    case 'removePermissionGrants': {
      const grants = withoutGrants(draft.permissionGrants, instruction.memberIDs, permissionsIn(instruction))
      draft.permissionGrants = castDraft(grants)
      return undefined
    }
    default:
      return editRoleAttributes(draft, instruction)
  }
}

function editRoleAttributes(draft: Draft<Team>, instruction: TeamInstruction): ValidationError | undefined {
  // A map, because `constructor` is a valid attribute name.
  const attributes = new Map(Object.entries(draft.roleAttributes))
  switch (instruction.kind) {
    case 'addRoleAttribute':
      attributes.set(instruction.key, [...new Set([...(attributes.get(instruction.key) ?? []), ...instruction.values])])
      break
    case 'updateRoleAttribute':
      if (!attributes.has(instruction.key)) return { attribute: 'key', reason: 'must be a role attribute of the team' }
      attributes.set(instruction.key, [...instruction.values])
      break
    case 'removeRoleAttribute':
      attributes.delete(instruction.key)
      break
    case 'replaceRoleAttributes':
      draft.roleAttributes = castDraft(instruction.value)
      return undefined
    default:
      return undefined
  }
  draft.roleAttributes = Object.fromEntries(attributes)
  return undefined
}
