import type { Caller } from '../operation/caller.ts'
import type { Resource } from '../rules/address.ts'
import type { Explanation } from '../rules/policy/explain.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'

/**
 * Explains a decision over all layers of a caller (D16): the layers are named where there can be several, and of a
 * denial all that deny are told, since each of them has to change.
 *
 * @param resource with the attributes that the layers' policies ask for.
 */
export function explainInLayers(
  { explain }: PolicyRules,
  caller: Caller,
  action: string,
  resource: Resource,
): Explanation {
  const told = caller.layers.map((layer, at) => {
    const { text, ...rest } = explain(layer, action, resource, caller.layers)
    const name = layerName(caller, at)
    return { ...rest, text: name === undefined ? text : `${name}: ${text}` }
  })
  const denials = told.filter((one) => !one.allowed)
  const decisive = denials.length > 0 ? denials : told
  const [first = { allowed: false }] = decisive
  return {
    ...first,
    text: decisive.length > 0 ? decisive.map((one) => one.text).join('; ') : 'nothing says what the caller may do',
    nearMisses: [...new Set(decisive.flatMap((one) => one.nearMisses))],
  }
}

/** What people call a layer. A caller that the host vouches for has one, which needs no name. */
function layerName({ tokenId, grants }: Caller, at: number): string | undefined {
  if (tokenId === undefined) return undefined
  if (at === 0) return "the token's own roles"
  return at < grants.length ? "the limits of the token's creator" : 'the member behind it'
}
