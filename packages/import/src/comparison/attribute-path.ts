/** Returns the property names that the attribute reference of a clause consists of. */
export function pathOf(attribute: string): readonly string[] {
  if (!attribute.startsWith('/')) return [attribute]
  return attribute
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}
