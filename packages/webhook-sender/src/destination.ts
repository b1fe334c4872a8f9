import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/**
 * Resolves a host name to addresses.
 * @throws when the name does not exist.
 */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Resolves a name as the operating system does, including its hosts file. */
export async function resolveWithSystem(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

/** Parses an absolute http or https URL. Returns undefined for any other text. */
export function webUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

/**
 * Returns the host of a URL without the brackets of IPv6. The URL parser has already normalized unusual spellings of
 * IPv4 (`0x7f.1`, `2130706433`).
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Returns the current addresses of the host of a URL: the address that the URL contains, or all addresses of its host
 * name.
 */
export async function addressesOf(url: URL, resolve: Resolve): Promise<readonly string[]> {
  const host = hostOf(url)
  return isIP(host) === 0 ? resolve(host) : [host]
}
