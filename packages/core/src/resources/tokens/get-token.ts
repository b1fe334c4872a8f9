import { operation } from '../../operation/operation.ts'
import { requireToken } from './require-token.ts'
import { serializeToken, tokenResponse } from './token-response.ts'

export const getToken = operation({
  id: 'getToken',
  summary: 'Get an access token',
  method: 'GET',
  path: '/api/v2/tokens/{id}',
  success: { status: 200, body: tokenResponse },
  errors: ['forbidden', 'not_found'],
  access: { open: true, why: 'the resource of a token depends on its owner; the handler checks the right' },
  async handle(context, { params }) {
    const token = await requireToken(context, params, ['viewToken'])
    context.setRevision(token.version)
    return serializeToken(context, token)
  },
})
