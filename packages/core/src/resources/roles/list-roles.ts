import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { visiblePage } from '../../operation/visible-page.ts'
import { roles } from './role.ts'
import { presentRole, roleWire } from './role-wire.ts'

export const listRoles = operation({
  id: 'listRoles',
  summary: 'List the custom roles that the caller may see',
  method: 'GET',
  path: '/api/v2/roles',
  query: v.object(page()),
  success: { status: 200, body: collection(roleWire) },
  errors: ['invalid_request'],
  access: { open: true, why: 'what the caller may not view is left out' },
  async handle(context, { query }) {
    const keys = (role: { readonly key: string }) => ({ roleKey: role.key })
    const found = await visiblePage(context, { collection: roles, scope: {}, keys, action: 'viewRole' }, query)
    return {
      items: await Promise.all(found.items.map((role) => presentRole(context, role))),
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})
