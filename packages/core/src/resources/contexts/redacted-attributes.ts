/**
 * Returns the names of the private attributes of a context. SDKs leave these attributes out of what they report, and
 * report the names.
 *
 * @param meta property `_meta` of the context, of any form.
 */
export function redactedAttributesOf(meta: unknown): readonly string[] {
  const names = (meta as { readonly redactedAttributes?: unknown } | null | undefined)?.redactedAttributes
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}
