import { roles } from '../../models/roles/role.ts'
import { patchCard } from '../../operation/cards/patch-card.ts'
import { presentRole, roleSettings, roleWire } from './role-wire.ts'

export const patchRole = patchCard(roles, {
  id: 'patchRole',
  summary: 'Change a custom role; who holds it is held to the change at once',
  path: '/api/v2/roles/{roleKey}',
  shows: { action: 'viewRole', resource: 'role/{roleKey}' },
  settings: roleSettings,
  answer: roleWire,
  present: presentRole,
})
