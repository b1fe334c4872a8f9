import { type IpAllowlist, initialIpAllowlist, ipAllowlists } from '../../models/ip-allowlist/ip-allowlist.ts'
import type { Context } from '../../operation/context.ts'
import type { CredentialKind } from '../../operation/request-origin.ts'
import { type UndoDeclaration, undoOf } from '../../operation/undo/undo-rules.ts'
import { AllowedAddresses } from '../../rules/ip-addresses/allowed-addresses.ts'
import type { Writer } from '../../storage/writer.ts'

type AllowlistContext = Context<Writer, 'invalid_request' | 'optimistic_locking_error'>

const flagOf = {
  session: 'sessionAllowlistEnabled',
  apiToken: 'apiTokenAllowlistEnabled',
} as const satisfies Record<CredentialKind, keyof IpAllowlist>

/**
 * Stores another state of the IP allowlist, unless it would refuse the request that changes it: the caller could not
 * change it again. A call in process is never refused.
 */
export function saveAllowlist(context: AllowlistContext, before: IpAllowlist, after: IpAllowlist): IpAllowlist {
  requireOwnAddress(context, after)
  return context.tx.replace(ipAllowlists, {}, before, after)
}

function requireOwnAddress({ origin, fail }: AllowlistContext, { entries, ...enabled }: IpAllowlist): void {
  if (!origin) return
  const flag = flagOf[origin.credential]
  if (!enabled[flag]) return
  const address =
    origin.clientAddress() ??
    fail('invalid_request', {
      message:
        `${flag} must not be true while the server does not know the address of the client: the option clientAddress of ` +
        'its transport is missing or returns undefined',
    })
  if (new AllowedAddresses(entries.map(({ ipAddress }) => ipAddress)).contain(address)) return
  fail('invalid_request', {
    message: `${flag} must not be true while no entry contains ${address}, the address of this request, which would then be refused`,
  })
}

/** A revert follows the rules of the operations: the right to each part, and the address of the request. */
export const undoAllowlist: readonly UndoDeclaration[] = [
  undoOf(ipAllowlists, {
    implied: async () => initialIpAllowlist,
    update(context, { current, wanted }) {
      saveAllowlist(context, current, wanted)
    },
  }),
]
