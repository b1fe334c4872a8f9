import { roles } from '../../models/roles/role.ts'
import { deleteCard } from '../../operation/cards/delete-card.ts'

export const deleteRole = deleteCard(roles, {
  id: 'deleteRole',
  summary: 'Delete a custom role; whoever held it loses what it allowed',
  path: '/api/v2/roles/{roleKey}',
  access: { action: 'deleteRole', resource: 'role/{roleKey}' },
})
