import { createRole } from './create-role.ts'
import { deleteRole } from './delete-role.ts'
import { getRole } from './get-role.ts'
import { listRoles } from './list-roles.ts'
import { patchRole } from './patch-role.ts'

export const roleOperations = [listRoles, createRole, getRole, patchRole, deleteRole] as const
