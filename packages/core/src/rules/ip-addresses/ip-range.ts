import { type IpAddress, parseIpAddress, parseIpv6 } from './ip-address.ts'

/** The addresses whose first bits are the same. An IPv4 address is in no range of IPv6 addresses. */
export interface IpRange extends IpAddress {
  /** Number of the first bits that are the same. */
  readonly prefix: number
}

/**
 * Reads an IP address or a range in CIDR notation, such as `198.51.100.0/24` or `2001:db8::/32`.
 *
 * @returns the range, or the reason in words why the text is not a range.
 */
export function parseIpRange(text: string): IpRange | string {
  const slash = text.indexOf('/')
  const address = parseIpAddress(slash < 0 ? text : text.slice(0, slash))
  if (!address) return 'must be an IPv4 or IPv6 address, or a range such as 198.51.100.0/24'
  if (slash < 0) return { ...address, prefix: address.bits }
  const written = parseIpv6(text.slice(0, slash))
  const bits = written?.bits ?? 32
  const digits = text.slice(slash + 1)
  const prefix = Number(digits)
  if (!/^(?:0|[1-9]\d{0,2})$/.test(digits) || prefix > bits)
    return `must have a number from 0 to ${bits} after the slash`
  // A range of mapped addresses is a range of IPv4 addresses, unless it also contains addresses that are not mapped.
  const isMapped = written !== undefined && address.bits === 32 && prefix >= 96
  const range: IpRange =
    written && !isMapped ? { ...written, prefix } : { ...address, prefix: isMapped ? prefix - 96 : prefix }
  const rest = BigInt(range.bits - range.prefix)
  if ((range.value >> rest) << rest !== range.value)
    return `must have no bits after the first ${prefix}: write the first address of the range before the slash`
  return range
}

/** Returns true when a range contains an address. */
export function containsAddress(range: IpRange, address: IpAddress): boolean {
  return range.bits === address.bits && (range.value ^ address.value) >> BigInt(range.bits - range.prefix) === 0n
}

/** Returns true when two ranges contain the same addresses. */
export function equalRanges(a: IpRange, b: IpRange): boolean {
  return a.bits === b.bits && a.prefix === b.prefix && a.value === b.value
}
