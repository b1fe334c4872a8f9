/**
 * Parses an absolute `http` or `https` URL of RFC 3986.
 *
 * It is stricter than the platform's parser, which corrects its input: only printable ASCII without spaces and
 * backslashes, and no user or password, because those would be visible to everyone who can see the URL.
 *
 * @returns undefined for any other text.
 */
export function parseHttpUrl(text: string): URL | undefined {
  if (!/^https?:\/\/(?!\/)[!-[\]-~]+$/i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.username === '' && url.password === '' ? url : undefined
}
