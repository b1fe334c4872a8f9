import * as v from 'valibot'
import { distinctKeys, memberSettings } from '../member-schema.ts'
import { exceptedMembers, selectedIds } from './selected-members.ts'

const { role, roleAttributes } = memberSettings.entries

function instruction<const Kind extends string, const Entries extends v.ObjectEntries>(kind: Kind, entries: Entries) {
  return v.strictObject({ kind: v.literal(kind), ...entries })
}

/** Schema of an instruction that changes several members (reference API: patchMembers). */
export const membersInstruction = v.variant('kind', [
  instruction('replaceMembersRoles', { value: role, memberIDs: selectedIds() }),
  instruction('replaceAllMembersRoles', { value: role, ...exceptedMembers }),
  instruction('replaceMembersCustomRoles', { values: distinctKeys(), memberIDs: selectedIds() }),
  instruction('replaceAllMembersCustomRoles', { values: distinctKeys(), ...exceptedMembers }),
  instruction('replaceMembersRoleAttributes', {
    value: roleAttributes,
    memberIDs: selectedIds(),
  }),
])

export type MembersInstruction = v.InferOutput<typeof membersInstruction>
