import * as v from 'valibot'
import { tokens } from '../../models/tokens/token.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { page } from '../../operation/schema.ts'
import { serializeToken, tokenResponse } from './token-response.ts'

export const listTokens = listOperation(tokens, {
  id: 'listTokens',
  summary: 'List the access tokens that the caller may view, newest first',
  path: '/api/v2/tokens',
  access: { open: true, why: 'the list omits what the caller may not view' },
  query: v.object(page({ limit: 25 })),
  select: () => ({ order: [{ field: 'createdAt', type: 'number', descending: true }] }),
  visible: 'viewToken',
  response: tokenResponse,
  serialize: (context, token) => serializeToken(context, token),
})
