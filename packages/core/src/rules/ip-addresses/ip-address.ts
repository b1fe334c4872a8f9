/**
 * An IP address as a number. An IPv4 address that is mapped to IPv6, such as `::ffff:192.0.2.1`, is the IPv4 address.
 */
export interface IpAddress {
  /** Number of bits: 32 for IPv4, 128 for IPv6. */
  readonly bits: 32 | 128
  readonly value: bigint
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
// A leading zero is refused: some programs read the number as octal.
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
const group = /^[\da-f]{1,4}$/i

/** The first 96 bits of an IPv4 address that is mapped to IPv6 (RFC 4291, 2.5.5.2). */
const mappedPrefix = 0xffffn

/**
 * Reads an IP address in the text form of RFC 4291, without a zone.
 *
 * @returns undefined for any other text.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const value = ipv4.test(text) ? { bits: 32 as const, value: ipv4Value(text) } : parseIpv6(text)
  return value?.bits === 128 && value.value >> 32n === mappedPrefix
    ? { bits: 32, value: value.value & 0xffff_ffffn }
    : value
}

/** Reads an IPv6 address, without looking for a mapped IPv4 address in it. */
export function parseIpv6(text: string): { readonly bits: 128; readonly value: bigint } | undefined {
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return undefined
  const before = groupsOf(head, tail === undefined)
  const after = tail === undefined ? [] : groupsOf(tail, true)
  if (!before || !after) return undefined
  const omitted = 8 - before.length - after.length
  // `::` replaces at least one group of zeros.
  if (tail === undefined ? omitted !== 0 : omitted < 1) return undefined
  const groups = [...before, ...Array<number>(omitted).fill(0), ...after]
  return { bits: 128, value: groups.reduce((value, each) => (value << 16n) | BigInt(each), 0n) }
}

/**
 * Returns the groups of a part of an IPv6 address.
 *
 * @param isEnd true for the end of the address, where two groups can have the form of an IPv4 address.
 * @returns undefined when the text is not such a part.
 */
function groupsOf(text: string, isEnd: boolean): readonly number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (group.test(part)) groups.push(Number.parseInt(part, 16))
    else if (isEnd && index === parts.length - 1 && ipv4.test(part)) {
      const value = Number(ipv4Value(part))
      groups.push(value >>> 16, value & 0xffff)
    } else return undefined
  }
  return groups
}

function ipv4Value(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}
