import { castDraft, type Draft, produce } from 'immer'
import { granting, revoking } from '../../models/teams/permission.ts'
import type { Team } from '../../models/teams/team.ts'
import type { Fault } from '../../rules/json-guard.ts'
import { permissionsIn, type TeamInstruction } from './team-instruction-wire.ts'

/** Changes of the members of a team, as a request describes them. */
export interface Roster {
  /** True when members that the request does not name leave the team. */
  readonly replaces: boolean
  /** Member id to whether the member is to be in the team. */
  readonly named: ReadonlyMap<string, boolean>
}

/** Result of the instructions of a patch. */
export interface EditedTeam {
  readonly team: Team
  /** Changes of the members of the team, which the team's document does not contain. */
  readonly roster: Roster
  /** Validation errors of the instructions, each with its index; empty when all can be applied. */
  readonly faults: readonly Fault[]
}

/**
 * Applies the instructions of a semantic patch in order to the document of the team (D12).
 *
 * @param now time from which the team has the roles that it gets, integer ms.
 */
export function editTeam(team: Team, instructions: readonly TeamInstruction[], now: number): EditedTeam {
  let roster: Roster = { replaces: false, named: new Map() }
  const faults: Fault[] = []
  const edited = produce(team, (draft) => {
    for (const [index, instruction] of instructions.entries()) {
      roster = editRoster(roster, instruction)
      const refusal = editDocument(draft, instruction, now)
      if (refusal) faults.push({ ...refusal, attribute: `instructions.${index}.${refusal.attribute}` })
    }
  })
  return { team: edited, roster, faults }
}

function editRoster({ replaces, named }: Roster, instruction: TeamInstruction): Roster {
  switch (instruction.kind) {
    case 'addMembers':
    case 'removeMembers': {
      const isIn = instruction.kind === 'addMembers'
      return { replaces, named: new Map([...named, ...instruction.values.map((id) => [id, isIn] as const)]) }
    }
    case 'replaceMembers':
      return { replaces: true, named: new Map(instruction.values.map((id) => [id, true])) }
    default:
      return { replaces, named }
  }
}

function editDocument(draft: Draft<Team>, instruction: TeamInstruction, now: number): Fault | undefined {
  switch (instruction.kind) {
    case 'updateName':
      draft.name = instruction.value
      return undefined
    case 'updateDescription':
      draft.description = instruction.value
      return undefined
    case 'addCustomRoles': {
      const known = new Set(draft.customRoles.map(({ key }) => key))
      const added = instruction.values.filter((key) => !known.has(key))
      draft.customRoles.push(...added.map((key) => ({ key, appliedOn: now })))
      return undefined
    }
    case 'removeCustomRoles':
      draft.customRoles = draft.customRoles.filter(({ key }) => !instruction.values.includes(key))
      return undefined
    case 'addPermissionGrants': {
      const grants = granting(draft.permissionGrants, permissionsIn(instruction), instruction.memberIDs)
      draft.permissionGrants = castDraft(grants)
      return undefined
    }
    case 'removePermissionGrants': {
      const grants = revoking(draft.permissionGrants, instruction.memberIDs, permissionsIn(instruction))
      draft.permissionGrants = castDraft(grants)
      return undefined
    }
    default:
      return editRoleAttributes(draft, instruction)
  }
}

function editRoleAttributes(draft: Draft<Team>, instruction: TeamInstruction): Fault | undefined {
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
