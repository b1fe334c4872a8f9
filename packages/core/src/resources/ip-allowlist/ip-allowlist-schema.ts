import * as v from 'valibot'
import type { IpAllowlist, IpAllowlistEntry } from '../../models/ip-allowlist/ip-allowlist.ts'
import { linkTo } from '../../operation/link.ts'
import { links, text } from '../../operation/schema.ts'

/** Path of the IP allowlist. The paths of its entries begin with it. */
export const allowlistPath = '/api/v2/account/ip-allowlist'

export const entryDescription = text

export const entryResponse = v.object({
  _id: v.string(),
  ipAddress: v.string(),
  description: v.optional(v.string()),
})

export const allowlistResponse = v.object({
  _links: links(),
  sessionAllowlistEnabled: v.boolean(),
  apiTokenAllowlistEnabled: v.boolean(),
  entries: v.array(entryResponse),
  /** Number of entries that match the query. */
  totalCount: v.number(),
})

export function serializeEntry({ id, ipAddress, description }: IpAllowlistEntry): v.InferOutput<typeof entryResponse> {
  return { _id: id, ipAddress, ...(description === undefined ? {} : { description }) }
}

/**
 * Returns the response for an allowlist.
 *
 * @param page the entries to show, and the number of all entries that match the query. Default: all entries.
 */
export function serializeAllowlist(
  { sessionAllowlistEnabled, apiTokenAllowlistEnabled, entries }: IpAllowlist,
  page: { readonly entries: readonly IpAllowlistEntry[]; readonly total: number } = { entries, total: entries.length },
): v.InferOutput<typeof allowlistResponse> {
  return {
    _links: { self: linkTo(allowlistPath) },
    sessionAllowlistEnabled,
    apiTokenAllowlistEnabled,
    entries: page.entries.map(serializeEntry),
    totalCount: page.total,
  }
}
