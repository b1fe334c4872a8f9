import type { Caller } from '../../operation/caller.ts'
import type { Resource } from '../../rules/address.ts'
import type { Explanation } from '../../rules/policy/explain.ts'
import type { PolicyRules } from '../../rules/policy/policy-rules.ts'

/**
 * Explains a decision over all layers of a caller (docs/decisions/0002-decide-access-by-policy.md#d16-tokens). Layers
 * are named where there can be several; the explanation of a denial includes every layer that denies, since each of
 * them has to change.
 *
 * @param resource the resource, with the attributes that the policies of the layers test.
 */
export function explainInLayers(
  { explain }: PolicyRules,
  caller: Caller,
  action: string,
  resource: Resource,
): Explanation {
  const explanations = caller.layers.map((layer, index) => {
    const { text, ...rest } = explain(layer, action, resource, caller.layers)
    const name = layerName(caller, index)
    return { ...rest, text: name === undefined ? text : `${name}: ${text}` }
  })
  const denials = explanations.filter(({ allowed }) => !allowed)
  const decisive = denials.length > 0 ? denials : explanations
  const [first = { allowed: false }] = decisive
  return {
    ...first,
    text: decisive.length > 0 ? decisive.map(({ text }) => text).join('; ') : 'nothing says what the caller may do',
    allowedForSome: explanations.length > 0 && explanations.every((each) => each.allowedForSome),
    nearMisses: [...new Set(decisive.flatMap(({ nearMisses }) => nearMisses))],
  }
}

/** Returns the name of a layer. A caller that the host supplies has one layer, which needs no name. */
function layerName({ tokenId, grants }: Caller, index: number): string | undefined {
  if (tokenId === undefined) return undefined
  if (index === 0) return "the token's own roles"
  return index < grants.length ? "the limits of the token's creator" : 'the member behind it'
}
