import { parseIpAddress } from './ip-address.ts'
import { containsAddress, type IpRange, parseIpRange } from './ip-range.ts'

/** Tests whether one of several ranges contains an address. */
export class AllowedAddresses {
  readonly #ranges: readonly IpRange[]

  /**
   * @param ranges addresses, and ranges in CIDR notation; a text that is neither an address nor a range matches no
   *   address.
   */
  constructor(ranges: readonly string[]) {
    this.#ranges = ranges.map(parseIpRange).filter((range) => typeof range !== 'string')
  }

  /**
   * Returns true if a range contains an address.
   *
   * @param text an address, to which a zone may be appended as in `fe80::1%eth0`. For any other text the result is
   *   false.
   */
  contain(text: string): boolean {
    const address = parseIpAddress(text.replace(/%.*$/, ''))
    return address !== undefined && this.#ranges.some((range) => containsAddress(range, address))
  }
}
