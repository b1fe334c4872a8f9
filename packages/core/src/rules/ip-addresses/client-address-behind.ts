import { parseIpAddress } from './ip-address.ts'
import { containsAddress, type IpRange, parseIpRange } from './ip-range.ts'

/**
 * Finds the address of a client.
 *
 * @param peer address of the other end of the connection.
 * @param forwardedFor value of the header `X-Forwarded-For`.
 * @returns undefined when `peer` is undefined.
 */
export type FindClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string | undefined

/**
 * Returns a function that finds the address of a client behind proxies. Each proxy adds the address of its peer to the
 * end of the header `X-Forwarded-For`. Addresses are read from the end while they belong to the listed proxies; the
 * first other address is that of the client. So a client cannot choose its address. When the peer is not one of the
 * proxies, the header is ignored.
 *
 * @param proxies IP addresses and ranges of the proxies, e.g. `10.0.0.0/8`.
 * @throws RangeError naming the proxy that is neither an address nor a range.
 *
 * @example
 * ```ts
 * import { clientAddressBehind } from '@halyard/core'
 *
 * const find = clientAddressBehind(['10.0.0.0/8'])
 * console.log(find('10.0.0.7', '192.0.2.9, 203.0.113.5, 10.0.0.8')) // 203.0.113.5
 * console.log(find('198.51.100.1', '203.0.113.5')) // 198.51.100.1
 * ```
 */
export function clientAddressBehind(proxies: readonly string[]): FindClientAddress {
  const ranges = proxies.map((proxy) => {
    const range = parseIpRange(proxy)
    if (typeof range === 'string') throw new RangeError(`proxies: "${proxy}" ${range}`)
    return range
  })
  return (peer, forwardedFor = '') => {
    const forwarded = forwardedFor.split(',').map((part) => withoutPort(part.trim()))
    let address = peer
    while (address !== undefined && isIn(ranges, address)) {
      const next = forwarded.pop()
      if (next === undefined || next === '') break
      address = next
    }
    return address
  }
}

function isIn(ranges: readonly IpRange[], text: string): boolean {
  const address = parseIpAddress(text)
  return address !== undefined && ranges.some((range) => containsAddress(range, address))
}

/** Removes the port that some proxies add: `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
}
