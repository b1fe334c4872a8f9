import { roles } from '../../models/roles/role.ts'
import { getCard } from '../../operation/cards/get-card.ts'
import { presentRole, roleWire } from './role-wire.ts'

export const getRole = getCard(roles, {
  id: 'getRole',
  summary: 'Fetch a custom role',
  path: '/api/v2/roles/{roleKey}',
  access: { action: 'viewRole', resource: 'role/{roleKey}' },
  answer: roleWire,
  present: presentRole,
})
