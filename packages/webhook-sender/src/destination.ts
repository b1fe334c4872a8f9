import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/**
 * Finds the addresses of a name.
 *
 * @throws where there is no such name.
 */
export type Resolve = (name: string) => Promise<readonly string[]>

/** As the system resolves names, its hosts file included. */
export async function resolveBySystem(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

/** An absolute http or https URL, undefined for any other text. */
export function webUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

/**
 * The host of a URL without the brackets of IPv6. A URL parser has written odd spellings of IPv4 (`0x7f.1`, `2130706433`)
 * as the addresses that they are.
 */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** All addresses that a URL leads to now: its own, or those of its name. */
export async function addressesOf(url: URL, resolve: Resolve): Promise<readonly string[]> {
  const host = hostOf(url)
  return isIP(host) === 0 ? resolve(host) : [host]
}
