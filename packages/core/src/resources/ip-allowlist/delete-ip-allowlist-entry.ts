import { operation } from '../../operation/operation.ts'
import { saveAllowlist, undoAllowlist } from './change-allowlist.ts'
import { allowlistPath } from './ip-allowlist-schema.ts'
import { loadAllowlist } from './load-allowlist.ts'

export const deleteIpAllowlistEntry = operation({
  id: 'deleteIpAllowlistEntry',
  undo: undoAllowlist,
  summary: 'Remove an entry from the IP allowlist',
  method: 'DELETE',
  path: `${allowlistPath}/{id}`,
  beta: 'tagged',
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: { action: 'deleteIpAllowlistEntry', resource: 'ip-allowlist' },
  async handle(context, { params: { id } }) {
    const before = await loadAllowlist(context.tx)
    context.requireRevision(before.version)
    const entry = before.entries.find((each) => each.id === id) ?? context.fail('not_found')
    saveAllowlist(context, before, { ...before, entries: before.entries.filter((each) => each !== entry) })
  },
})
