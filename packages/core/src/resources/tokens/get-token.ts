import { operation } from '../../operation/operation.ts'
import { requireToken } from './require-token.ts'
import { presentToken, tokenWire } from './token-wire.ts'

export const getToken = operation({
  id: 'getToken',
  summary: 'Fetch an access token',
  method: 'GET',
  path: '/api/v2/tokens/{id}',
  success: { status: 200, body: tokenWire },
  errors: ['forbidden', 'not_found'],
  access: { open: true, why: 'what policies call a token depends on whose it is; the handler asks' },
  async handle(context, { params }) {
    const token = await requireToken(context, params, ['viewToken'])
    context.revision(token.version)
    return presentToken(context, token)
  },
})
