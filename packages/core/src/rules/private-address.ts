import { isPublicAddress } from './public-address.ts'

/** Host names that never lead to the public internet. */
const privateNames = /^localhost$|\.(localhost|internal|local)$/

/**
 * Returns true if a host of a URL, as it is written, is this machine or in a private network: `localhost`, its
 * subdomains, and addresses that are not public. Names are not resolved.
 *
 * @param hostname value of `URL.hostname`, which contains every IPv4 address in dotted decimals.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host.startsWith('[')) return !isPublicAddress(host.slice(1, -1))
  return host === '' || privateNames.test(host) || (/^[\d.]+$/.test(host) && !isPublicAddress(host))
}
