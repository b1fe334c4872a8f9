/** Blocks of IANA's registry of special IPv4 addresses, and one more; with the length of each prefix in bits. */
const specialIPv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // This address is formally public, but in Azure it is the metadata service of the machine's own cloud.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

const blocks = specialIPv4.map(([address, bits]) => ({ start: numberOf(address), shift: 32 - bits }))

/**
 * Matches assigned global unicast addresses, written as 32 hex digits. All other IPv6 addresses are private or
 * unassigned.
 */
const assignedIPv6 = /^[23]/

/**
 * Special blocks among the assigned addresses: 2001::/23, 2001:db8::/32, 2002::/16, 2620:4f:8000::/48 and 3fff::/20.
 */
const specialIPv6 = /^(2001(0[01]|0db8)|2002|2620004f8000|3fff0)/

/**
 * IPv6 addresses with an embedded IPv4 address: ::ffff:0:0/96, and 64:ff9b::/96 for networks with only IPv6 (RFC 6052).
 */
const embeddedIPv4 = /^(?:0{20}ffff|0064ff9b0{16})(.{8})$/

/**
 * Returns true if an address leads to the public internet: not to this machine, its network or its cloud, and not to a
 * range that is reserved for documentation, tests and future use (the special-purpose registries of IANA).
 *
 * An IPv6 address that contains an IPv4 address is public if the IPv4 address is; 6to4 and Teredo, whose relays are
 * gone, are never public.
 *
 * @param text an IPv4 address in four decimals, or an IPv6 address without brackets. Anything else, and an address with
 *   a zone, is not public.
 *
 * @example
 * ```ts
 * import { isPublicAddress } from '@halyard/core/webhooks'
 *
 * console.log(isPublicAddress('93.184.215.14'), isPublicAddress('10.0.0.1'), isPublicAddress('::1')) // true false false
 * ```
 */
export function isPublicAddress(text: string): boolean {
  if (isIPv4(text)) return isPublicIPv4(numberOf(text))
  const digits = digitsOf(text)
  const embedded = embeddedIPv4.exec(digits)?.[1]
  if (embedded) return isPublicIPv4(Number.parseInt(embedded, 16))
  return assignedIPv6.test(digits) && !specialIPv6.test(digits)
}

function isPublicIPv4(address: number): boolean {
  return !blocks.some(({ start, shift }) => address >>> shift === start >>> shift)
}

function isIPv4(text: string): boolean {
  // Refuses leading zeros, because some parsers read such a number as octal.
  return /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/.test(text)
}

function numberOf(ipv4: string): number {
  return ipv4.split('.').reduce((all, part) => all * 256 + Number(part), 0)
}

/** Returns an IPv6 address as 32 digits of hex; the empty text if it is invalid. */
function digitsOf(text: string): string {
  if (!/^[\da-f.]*:[\da-f.:]*$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return ''
  // The platform formats it as groups of hex only, of which the longest run of zeros may be omitted.
  const [before = [], after = []] = new URL(`http://[${text}]/`).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join('')
}
