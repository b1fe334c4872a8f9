import { isPublicAddress } from './public-address.ts'

/** Names that never lead outside. */
const innerNames = /^localhost$|\.(localhost|internal|local)$/

/**
 * Whether a host of a URL is, as it is written, on this machine or in a private network: `localhost`, names below it, and
 * addresses that are not public. What a name resolves to is not known here.
 *
 * @param hostname as `URL.hostname` has it, which writes every IPv4 address in dotted decimals.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host.startsWith('[')) return !isPublicAddress(host.slice(1, -1))
  return host === '' || innerNames.test(host) || (/^[\d.]+$/.test(host) && !isPublicAddress(host))
}
