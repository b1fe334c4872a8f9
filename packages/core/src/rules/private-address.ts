/**
 * Whether a host of a URL is, as it is written, on this machine or in a private network: `localhost`, names below it, and
 * addresses that are loopback, private, link-local, multicast or reserved. What a name resolves to is not known here.
 *
 * @param hostname as `URL.hostname` has it, which writes every IPv4 address in dotted decimals.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host.startsWith('[')) return isPrivateIpv6(host.slice(1, -1))
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPrivateIpv4(host.split('.').map(Number))
  return (
    host === '' ||
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host.endsWith('.internal') ||
    host.endsWith('.local')
  )
}

function isPrivateIpv4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true
  if (a === 100) return b >= 64 && b < 128
  if (a === 169) return b === 254
  if (a === 172) return b >= 16 && b < 32
  if (a === 192) return b === 168 || (b === 0 && (c === 0 || c === 2))
  if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100)
  return a === 203 && b === 0 && c === 113
}

/** Only global unicast is public, and of that not what carries an IPv4 address, nor documentation. */
function isPrivateIpv6(address: string): boolean {
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address)
  if (mapped) {
    const [high, low] = [mapped[1], mapped[2]].map((part) => Number.parseInt(part as string, 16)) as [number, number]
    return isPrivateIpv4([high >> 8, high & 255, low >> 8, low & 255])
  }
  if (!/^[23]/.test(address) || !/^[0-9a-f]{4}:/.test(address)) return true
  return /^(2002:|2001:(0?db8|0{1,3}|:|10:|2\d:))/.test(address)
}
