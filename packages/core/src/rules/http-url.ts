/**
 * Reads an absolute `http` or `https` URL as RFC 3986 writes it.
 *
 * Stricter than the platform's parser, which mends what it is given: printable ASCII without spaces and backslashes
 * only, and no user or password, which whoever may see the URL could read.
 *
 * @returns undefined for any other text.
 */
export function parseHttpUrl(text: string): URL | undefined {
  if (!/^https?:\/\/(?!\/)[!-[\]-~]+$/i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.username === '' && url.password === '' ? url : undefined
}
