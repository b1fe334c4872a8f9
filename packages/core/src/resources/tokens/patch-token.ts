import { type Token, tokens } from '../../models/tokens/token.ts'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { actionsByPath } from '../../operation/patch-actions.ts'
import { patchDocument } from '../../operation/patch-document.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { requireValidPolicy } from '../roles/policy-schema.ts'
import { lowerCeiling } from './ceiling.ts'
import { requireRoles } from './require-roles.ts'
import { requireToken } from './require-token.ts'
import {
  grantOf,
  requireOneKindOfRole,
  rightsOf,
  serializeToken,
  tokenResponse,
  tokenSettings,
} from './token-response.ts'

export const patchToken = operation({
  id: 'patchToken',
  undo: [
    undoOf(tokens, {
      async update(context, { keys, current, wanted }) {
        const { customRoleIds } = rightsOf(wanted.grant)
        await requireRoles(context, 'customRoleIds', customRoleIds)
        const grantsOther = !jsonEqual(wanted.grant, current.grant)
        const ceiling = grantsOther ? lowerCeiling(current, context.caller) : current.ceiling
        context.tx.replace(tokens, keys, current, { ...wanted, ceiling, lastModified: context.readClock() })
      },
    }),
  ],
  summary: 'Update an access token',
  method: 'PATCH',
  path: '/api/v2/tokens/{id}',
  body: patchBody({
    ...actionsByPath(['/name', '/description', '/defaultApiVersion'], tokens),
    ...actionsByPath(['/role', '/customRoleIds/**', '/inlineRole/**'], tokens, () => 'grant'),
  }),
  success: { status: 200, body: tokenResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the resource of a token depends on its owner; the handler checks the right',
    demands: tokens.changeActions,
  },
  async handle(context, { params, body }) {
    const before = await requireToken(context, params, tokens.changeActions, ['viewToken'])
    context.requireRevision(before.version)
    const patched = await patchDocument({ ...before, ...rightsOf(before.grant) }, body, tokenSettings, {
      shown: () => serializeToken(context, before),
    })
    requireValidPolicy('inlineRole', before.grant.statements, patched.inlineRole)
    requireOneKindOfRole(patched)
    await requireRoles(context, 'customRoleIds', patched.customRoleIds)
    const { inlineRole, customRoleIds, role, ...properties } = patched
    const grant = grantOf({ inlineRole, customRoleIds, role })
    const ceiling = jsonEqual(grant, before.grant) ? before.ceiling : lowerCeiling(before, context.caller)
    const changed: Token = { ...properties, grant, ceiling, lastModified: context.readClock() }
    const after = context.tx.replace(tokens, params, before, changed)
    context.setRevision(after.version)
    return serializeToken(context, after)
  },
})
