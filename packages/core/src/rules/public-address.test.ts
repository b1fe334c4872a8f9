import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

/** The special-purpose registries of IANA, written down a second time and tested with Node's block list. */
const specialBlocks: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
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
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]
// There is one list per family: a common list would treat IPv4 addresses as IPv4-mapped IPv6.
const blockLists = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [address, bits] of specialBlocks) {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  blockLists[family].addSubnet(address, bits, family)
}

const toDotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
const toHexGroups = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':')

/** First and last address of every block and their neighbors. */
const edges = specialBlocks
  .filter(([address]) => isIP(address) === 4)
  .flatMap(([address, bits]) => {
    const first = address.split('.').reduce((all, part) => all * 256 + Number(part), 0)
    const last = first + 2 ** (32 - bits) - 1
    return [first - 1, first, last, last + 1].map((value) => value >>> 0)
  })
const ipv4 = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 2 ** 32 - 1 })).map(toDotted)
const start = fc.constantFrom(0, 0x64, 0x100, 0x2001, 0x2002, 0x2620, 0x3ffe, 0x3fff, 0x5f00, 0xfc00, 0xfe80, 0xfec0)
const group = fc.oneof(fc.constantFrom(0, 1, 0xdb8, 0x4f, 0x1ff, 0x200, 0xfff, 0x1000), fc.nat(0xffff))
const ipv6 = fc
  .tuple(fc.oneof(start, fc.nat(0xffff)), fc.array(group, { minLength: 7, maxLength: 7 }))
  .map(([first, rest]) => toHexGroups([first, ...rest]))
  .filter((text) => !/^(0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/.test(text))

describe('isPublicAddress', () => {
  it('accepts IPv4 addresses exactly outside the special blocks', () => {
    const property = fc.property(ipv4, (text) => {
      expect(isPublicAddress(text)).toBe(!blockLists.ipv4.check(text, 'ipv4'))
    })
    fc.assert(property, { numRuns: 2_000 })
  })

  it('accepts IPv6 addresses exactly in the assigned range outside the special blocks', () => {
    const property = fc.property(ipv6, (text) => {
      expect(isPublicAddress(text)).toBe(!blockLists.ipv6.check(text, 'ipv6'))
    })
    fc.assert(property, { numRuns: 2_000 })
  })

  it('treats an IPv6 address with an embedded IPv4 address like that address, or rejects it', () => {
    const property = fc.property(ipv4, (text) => {
      const [a, b, c, d] = text.split('.').map(Number) as [number, number, number, number]
      const [high, low] = [a * 256 + b, c * 256 + d].map((part) => part.toString(16))
      for (const embedded of [`::ffff:${text}`, `::ffff:${high}:${low}`, `64:ff9b::${text}`]) {
        expect(isPublicAddress(embedded)).toBe(isPublicAddress(text))
      }
      const nonPublic = [`::${text}`, `::ffff:0:${text}`, `64:ff9b:1::${text}`, `2002:${high}:${low}::1`]
      for (const embedded of [...nonPublic, `2001:0:${high}:${low}::1`]) expect(isPublicAddress(embedded)).toBe(false)
    })
    fc.assert(property, { numRuns: 500 })
  })

  it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '168.63.129.15', '2606:4700::1111', '2a00:1450:4001::200e'])(
    'accepts %s',
    (text) => {
      expect(isPublicAddress(text)).toBe(true)
    },
  )

  it.each([
    '127.0.0.1',
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    'fd00:ec2::254',
    '::1',
    '::',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    '255.255.255.255',
    'ff02::1',
    '',
    'localhost',
    '1.1.1',
    '01.1.1.1',
    '0x1.1.1.1',
    '16843009',
    '1.1.1.1/8',
    '1.1.1.1 ',
    '1.1.1.1\0',
    '[2606:4700::1111]',
    '__proto__',
  ])('rejects %j', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })
})
