import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { integer } from '../../operation/schema.ts'
import { allowlistPath, allowlistResponse, serializeAllowlist } from './ip-allowlist-schema.ts'
import { loadAllowlist } from './load-allowlist.ts'

export const getIpAllowlist = operation({
  id: 'getIpAllowlist',
  summary: 'Get the IP allowlist of the account: whether it limits sessions and access tokens, and its entries',
  method: 'GET',
  path: allowlistPath,
  beta: 'tagged',
  query: v.object({
    search: v.optional(v.string()),
    limit: v.optional(integer(1, 100)),
    offset: v.optional(integer(0, Number.MAX_SAFE_INTEGER), 0),
  }),
  success: { status: 200, body: allowlistResponse },
  errors: ['invalid_request'],
  access: { action: 'viewIpAllowlist', resource: 'ip-allowlist' },
  async handle(context, { query: { search = '', limit, offset } }) {
    const allowlist = await loadAllowlist(context.tx)
    context.setRevision(allowlist.version)
    const text = search.toLowerCase()
    const matching = allowlist.entries.filter(({ ipAddress, description = '' }) =>
      [ipAddress, description].some((each) => each.toLowerCase().includes(text)),
    )
    const end = limit === undefined ? matching.length : offset + limit
    return serializeAllowlist(allowlist, { entries: matching.slice(offset, end), total: matching.length })
  },
})
