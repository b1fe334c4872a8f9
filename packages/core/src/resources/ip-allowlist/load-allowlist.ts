import { type IpAllowlist, initialIpAllowlist, ipAllowlists } from '../../models/ip-allowlist/ip-allowlist.ts'
import type { Reader } from '../../storage/reader.ts'

/** Returns the IP allowlist of the account. One that was never changed is not stored. */
export async function loadAllowlist(tx: Reader): Promise<IpAllowlist> {
  return (await tx.get(ipAllowlists, {})) ?? initialIpAllowlist
}
