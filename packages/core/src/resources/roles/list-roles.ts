import { roles } from '../../models/roles/role.ts'
import { listCard } from '../../operation/cards/list-card.ts'
import { presentRole, roleWire } from './role-wire.ts'

export const listRoles = listCard(roles, {
  id: 'listRoles',
  summary: 'List the custom roles that the caller may see',
  path: '/api/v2/roles',
  access: { open: true, why: 'what the caller may not view is left out' },
  visible: 'viewRole',
  answer: roleWire,
  present: presentRole,
})
