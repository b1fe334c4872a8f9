import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { saveAllowlist, undoAllowlist } from './change-allowlist.ts'
import { allowlistPath, entryDescription, entryResponse, serializeEntry } from './ip-allowlist-schema.ts'
import { loadAllowlist } from './load-allowlist.ts'

export const patchIpAllowlistEntry = operation({
  id: 'patchIpAllowlistEntry',
  undo: undoAllowlist,
  summary: 'Change the description of an entry of the IP allowlist',
  method: 'PATCH',
  path: `${allowlistPath}/{id}`,
  beta: 'tagged',
  body: jsonBody(v.strictObject({ description: entryDescription() })),
  success: { status: 200, body: entryResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateIpAllowlistEntry',
    resource: 'ip-allowlist',
    shows: { action: 'viewIpAllowlist', resource: 'ip-allowlist' },
  },
  async handle(context, { params: { id }, body: { description } }) {
    const before = await loadAllowlist(context.tx)
    context.requireRevision(before.version)
    const entry = before.entries.find((each) => each.id === id) ?? context.fail('not_found')
    const changed = { ...entry, description }
    const entries = before.entries.map((each) => (each === entry ? changed : each))
    const { version } = saveAllowlist(context, before, { ...before, entries })
    context.setRevision(version)
    return serializeEntry(changed)
  },
})
