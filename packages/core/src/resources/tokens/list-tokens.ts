import * as v from 'valibot'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, page } from '../../operation/schema.ts'
import { visiblePage } from '../../operation/visible-page.ts'
import { tokens } from './token.ts'
import { presentToken, tokenWire } from './token-wire.ts'

export const listTokens = operation({
  id: 'listTokens',
  summary: 'List the access tokens that the caller may see, newest first',
  method: 'GET',
  path: '/api/v2/tokens',
  query: v.object(page({ limit: 25 })),
  success: { status: 200, body: collection(tokenWire) },
  errors: ['invalid_request'],
  access: { open: true, why: 'what the caller may not view is left out' },
  async handle(context, { query }) {
    const visible = {
      collection: tokens,
      scope: {},
      action: 'viewToken',
      order: [{ field: 'createdAt', type: 'number', descending: true }],
    } as const
    const found = await visiblePage(context, visible, query)
    return {
      items: await Promise.all(found.items.map((token) => presentToken(context, token))),
      totalCount: found.total,
      _links: pageLinks(context.url, query, found.total),
    }
  },
})
