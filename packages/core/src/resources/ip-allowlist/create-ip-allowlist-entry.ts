import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import type { Fail } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import { equalRanges, type IpRange, parseIpRange } from '../../rules/ip-addresses/ip-range.ts'
import { saveAllowlist, undoAllowlist } from './change-allowlist.ts'
import { allowlistPath, entryDescription, entryResponse, serializeEntry } from './ip-allowlist-schema.ts'
import { loadAllowlist } from './load-allowlist.ts'

/** Maximum number of entries of an IP allowlist. */
export const maxAllowlistEntries = 500

export const createIpAllowlistEntry = operation({
  id: 'createIpAllowlistEntry',
  undo: undoAllowlist,
  summary: 'Add an address, or a range of addresses, to the IP allowlist',
  method: 'POST',
  path: allowlistPath,
  beta: 'tagged',
  body: jsonBody(v.strictObject({ ipAddress: v.string(), description: v.optional(entryDescription()) })),
  success: { status: 201, body: entryResponse },
  errors: ['invalid_request', 'optimistic_locking_error'],
  access: { action: 'createIpAllowlistEntry', resource: 'ip-allowlist' },
  async handle(context, { body: { ipAddress, description } }) {
    const range = readRange(ipAddress, context.fail)
    const before = await loadAllowlist(context.tx)
    const equal = before.entries.find((other) => isEqual(other.ipAddress, range))
    if (equal) {
      context.fail('optimistic_locking_error', {
        message: `The IP allowlist already has the entry ${equal.ipAddress}, which contains the same addresses`,
      })
    }
    if (before.entries.length >= maxAllowlistEntries)
      context.fail('invalid_request', { message: `An IP allowlist has at most ${maxAllowlistEntries} entries` })
    const entry = {
      id: context.useHost().newId(),
      ipAddress,
      ...(description === undefined ? {} : { description }),
    }
    saveAllowlist(context, before, { ...before, entries: [...before.entries, entry] })
    return serializeEntry(entry)
  },
})

function readRange(text: string, fail: Fail<'invalid_request'>): IpRange {
  const range = parseIpRange(text)
  return typeof range === 'string'
    ? fail('invalid_request', { errors: [{ attribute: 'body.ipAddress', reason: range }] })
    : range
}

function isEqual(text: string, range: IpRange): boolean {
  const other = parseIpRange(text)
  return typeof other !== 'string' && equalRanges(other, range)
}
