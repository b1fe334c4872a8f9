import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientAddressBehind } from './client-address-behind.ts'
import { parseIpAddress } from './ip-address.ts'
import { containsAddress, equalRanges, parseIpRange } from './ip-range.ts'

/** Addresses that differ in few bits, so that ranges often contain them. */
const near = (bits: 32 | 128) =>
  fc
    .tuple(
      fc.constantFrom(0n, 0xc633_6400n, (1n << BigInt(bits)) - 1n),
      fc.bigInt(0n, (1n << BigInt(bits)) - 1n),
      fc.nat(bits),
    )
    .map(([base, other, shift]) => (base ^ (other >> BigInt(shift))) & ((1n << BigInt(bits)) - 1n))

const ipv4Text = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
const ipv6Groups = (value: bigint) =>
  Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16))
/** Texts of an IPv6 address: in full, with zeros omitted, and with its end as an IPv4 address. */
function ipv6Texts(value: bigint): readonly string[] {
  const groups = ipv6Groups(value)
  return [
    groups.join(':'),
    groups.join(':').replace(/(^|:)0(:0)+(:|$)/, '::'),
    `${groups.slice(0, 6).join(':')}:${ipv4Text(value & 0xffff_ffffn)}`,
  ]
}
const mapped = (value: bigint) => (0xffffn << 32n) | value
const value128 = fc.oneof(near(128), near(32).map(mapped))
const addressText = fc.oneof(
  near(32).map(ipv4Text),
  fc.tuple(value128, fc.nat(2)).map(([value, form]) => ipv6Texts(value)[form] as string),
)
/** A range that has no bits after its prefix. */
const rangeParts = fc.oneof(
  fc.tuple(near(32), fc.nat(32)).map(([value, prefix]) => ({ base: ipv4Text(cut(value, 32 - prefix)), prefix })),
  fc.tuple(value128, fc.nat(128), fc.nat(2)).map(([value, prefix, form]) => {
    return { base: ipv6Texts(cut(value, 128 - prefix))[form] as string, prefix }
  }),
)
function cut(value: bigint, bits: number): bigint {
  return (value >> BigInt(bits)) << BigInt(bits)
}

const familyOf = (text: string) => (isIPv4(text) ? 'ipv4' : 'ipv6')
const isMapped = (text: string) => parseIpAddress(text)?.bits === 32 && isIPv6(text)

describe('IP addresses', () => {
  it('are the texts that Node accepts, without zones', () => {
    const characters = fc.string({ unit: fc.constantFrom(...'0125af:::.'), maxLength: 20 })
    const broken = fc
      .tuple(addressText, fc.nat(40), fc.constantFrom('', ':', '.', '0', 'g', '::'))
      .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at + 1))
    fc.assert(
      fc.property(fc.oneof(characters, broken, addressText), (text) => {
        expect(parseIpAddress(text) !== undefined, text).toBe(isIP(text) !== 0)
      }),
      { numRuns: 3_000 },
    )
  })

  it('are in a range when Node finds them in it', () => {
    fc.assert(
      fc.property(rangeParts, addressText, ({ base, prefix }, text) => {
        const list = new BlockList()
        list.addSubnet(base, prefix, familyOf(base))
        const range = parseIpRange(`${base}/${prefix}`)
        const address = parseIpAddress(text)
        if (typeof range === 'string' || !address) return expect.fail(`${base}/${prefix} ${text}`)
        // Node compares addresses of both families; here an IPv4 address is in no range of IPv6 addresses.
        if (range.bits !== address.bits) expect(containsAddress(range, address)).toBe(false)
        else expect(containsAddress(range, address), `${base}/${prefix} ${text}`).toBe(list.check(text, familyOf(text)))
      }),
      { numRuns: 3_000 },
    )
  })

  it('are a range of one address when there is no slash', () => {
    fc.assert(
      fc.property(addressText, (text) => {
        const range = parseIpRange(text)
        const bits = isIPv4(text) ? 32 : 128
        expect(typeof range === 'object' && equalRanges(range, parseIpRange(`${text}/${bits}`) as typeof range)).toBe(
          true,
        )
        expect(isMapped(text)).toBe(typeof range === 'object' && range.bits === 32 && bits === 128)
      }),
    )
  })
})

describe('ranges', () => {
  it.each([
    ['198.51.100.7/24', 'must have no bits after the first 24'],
    ['2001:db8::1/32', 'must have no bits after the first 32'],
    ['::ffff:10.0.0.1/104', 'must have no bits after the first 104'],
    ['198.51.100.0/33', 'must have a number from 0 to 32 after the slash'],
    ['2001:db8::/129', 'must have a number from 0 to 128 after the slash'],
    ['198.51.100.0/', 'must have a number from 0 to 32'],
    ['198.51.100.0/024', 'must have a number from 0 to 32'],
    ['198.51.100.0/24/1', 'must have a number from 0 to 32'],
    ['010.0.0.1', 'must be an IPv4 or IPv6 address'],
    ['fe80::1%eth0', 'must be an IPv4 or IPv6 address'],
    ['example.com', 'must be an IPv4 or IPv6 address'],
    ['', 'must be an IPv4 or IPv6 address'],
  ])('are not %j', (text, reason) => {
    expect(parseIpRange(text)).toContain(reason)
  })

  it('of mapped addresses are ranges of IPv4 addresses', () => {
    expect(parseIpRange('::ffff:10.0.0.0/104')).toEqual(parseIpRange('10.0.0.0/8'))
    expect(parseIpRange('::/0')).toEqual({ bits: 128, value: 0n, prefix: 0 })
  })
})

describe('the address of a client behind proxies', () => {
  const find = clientAddressBehind(['10.0.0.0/8', '2001:db8::5'])

  it.each([
    ['198.51.100.1', undefined, '198.51.100.1'],
    ['198.51.100.1', '203.0.113.5', '198.51.100.1'],
    ['10.0.0.7', undefined, '10.0.0.7'],
    ['10.0.0.7', '', '10.0.0.7'],
    ['10.0.0.7', '203.0.113.5', '203.0.113.5'],
    ['::ffff:10.0.0.7', '203.0.113.5', '203.0.113.5'],
    ['2001:db8::5', '192.0.2.9, 203.0.113.5,10.1.1.1', '203.0.113.5'],
    ['10.0.0.7', '203.0.113.5:4711', '203.0.113.5'],
    ['10.0.0.7', '[2001:db8::9]:4711', '2001:db8::9'],
    ['10.0.0.7', '10.0.0.8, 10.0.0.9', '10.0.0.8'],
    ['10.0.0.7', '203.0.113.5, unknown', 'unknown'],
    [undefined, '203.0.113.5', undefined],
  ])('of the peer %s with the header %s is %s', (peer, header, address) => {
    expect(find(peer, header)).toBe(address)
  })

  it('cannot be chosen by the client, whatever it sends', () => {
    fc.assert(
      fc.property(fc.string(), (sent) => {
        expect(find('10.0.0.7', `${sent},203.0.113.5`)).toBe('203.0.113.5')
        expect(find('198.51.100.1', sent)).toBe('198.51.100.1')
      }),
    )
  })

  it('needs proxies that are addresses or ranges', () => {
    expect(() => clientAddressBehind(['10.0.0.0/8', 'proxy'])).toThrow(
      /^proxies: "proxy" must be an IPv4 or IPv6 address/,
    )
  })
})
