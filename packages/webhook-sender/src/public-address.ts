import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What IANA has given out as global unicast so far. All other IPv6 leads inside, or nowhere. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** The prefix behind which networks with IPv6 alone reach IPv4 (RFC 6052). */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Public by its number, but what answers there is the own machine's cloud, with its settings. */
const inside: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Whether an address leads to the public internet: not to this machine, its network or its cloud, and not to what is kept
 * for documents, tests and the future (the special-purpose registries of IANA).
 *
 * An IPv6 address that carries one of IPv4 is as public as that one; 6to4 and Teredo, whose relays are gone, never are.
 *
 * @param text an address as `net.isIP` knows it. Anything else, and an address with a zone, is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.process(isIP(text) === 6 ? canonical(text) : text)
  if (address instanceof ipaddr.IPv4) return isPublicIPv4(address)
  if (address.match(translated)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return address.range() === 'unicast' && address.match(globalUnicast)
}

/** IPv6 in groups of hex alone: the library takes `::1.2.3.4` for `::ffff:1.2.3.4`, which no socket does. */
function canonical(ipv6: string): string {
  return new URL(`http://[${ipv6}]`).hostname.slice(1, -1)
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !inside.has(address.toString())
}
