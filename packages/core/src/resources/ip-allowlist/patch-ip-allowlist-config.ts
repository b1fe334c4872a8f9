import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { withProperties } from '../../operation/document-operations/update-operation.ts'
import { operation } from '../../operation/operation.ts'
import { saveAllowlist, undoAllowlist } from './change-allowlist.ts'
import { allowlistPath, allowlistResponse, serializeAllowlist } from './ip-allowlist-schema.ts'
import { loadAllowlist } from './load-allowlist.ts'

export const patchIpAllowlistConfig = operation({
  id: 'patchIpAllowlistConfig',
  undo: undoAllowlist,
  summary: 'Turn the IP allowlist on or off, for sessions and for access tokens',
  method: 'PATCH',
  path: allowlistPath,
  beta: 'tagged',
  body: jsonBody(
    v.strictObject({
      sessionAllowlistEnabled: v.optional(v.boolean()),
      apiTokenAllowlistEnabled: v.optional(v.boolean()),
    }),
  ),
  success: { status: 200, body: allowlistResponse },
  errors: ['invalid_request', 'optimistic_locking_error'],
  access: {
    action: 'updateIpAllowlistEnabled',
    resource: 'ip-allowlist',
    shows: { action: 'viewIpAllowlist', resource: 'ip-allowlist' },
  },
  async handle(context, { body }) {
    const before = await loadAllowlist(context.tx)
    context.requireRevision(before.version)
    const after = saveAllowlist(context, before, withProperties(before, body))
    context.setRevision(after.version)
    return serializeAllowlist(after)
  },
})
