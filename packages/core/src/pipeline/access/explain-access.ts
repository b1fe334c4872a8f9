import type { EngineOptions } from '../../operation/engine-options.ts'
import { fail } from '../../operation/errors.ts'
import { parseAddress, type Resource } from '../../rules/address.ts'
import type { Explanation } from '../../rules/policy/explain.ts'
import type { PolicyRules } from '../../rules/policy/policy-rules.ts'
import type { PolicyVocabulary } from '../../rules/policy/vocabulary.ts'
import type { As, Authenticator } from '../authenticate.ts'
import { asFailure } from '../encode.ts'
import type { StorageView } from './authority.ts'

/** Input of `engine.explain`: an action of the caller `as` on `resource`. */
export interface AccessQuery {
  /** The caller. */
  readonly as?: As
  /** An action of the resource's kind (docs/decisions/0002-decide-access-by-policy.md#d17-actions), e.g. `updateOn`. */
  readonly action: string
  /**
   * An address (docs/decisions/0002-decide-access-by-policy.md#d14-resource-specifiers), e.g.
   * `proj/web:env/production:flag/checkout`; the key `*` means every resource of its kind.
   */
  readonly resource: string
}

interface ExplainParts {
  readonly options: Pick<EngineOptions, 'host'>
  readonly authenticator: Authenticator
  readonly view: StorageView
  readonly policy: PolicyRules
}

/**
 * Explains whether a caller may do an action, as the pipeline would decide it now.
 *
 * @throws ApiError as documented for `Engine.explain`.
 */
export async function explainAccess(parts: ExplainParts, query: AccessQuery): Promise<Explanation> {
  const { authenticator, view, options } = parts
  try {
    const resource = resourceOf(query, parts.policy.vocabulary)
    const caller = await authenticator.fromHost(query.as)
    return await view.authority.explain(caller, query.action, resource)
  } catch (error) {
    throw asFailure(error, options.host, 'explain', 'in-process')
  }
}

/**
 * Rejects actions and kinds that no operation requires. A policy of `*` would allow them, although that has no effect.
 */
function resourceOf({ action, resource: text }: AccessQuery, vocabulary: PolicyVocabulary): Resource {
  const resource = parseAddress(text)
  if (!resource || !vocabulary.isShape(resource.map(({ kind }) => kind).join(':'))) {
    const reason = 'must be the address of a resource, such as proj/web:env/production:flag/checkout'
    return fail('invalid_request', { errors: [{ attribute: 'resource', reason }] })
  }
  const kind = (resource.at(-1) as Resource[number]).kind
  if (!vocabulary.actionsOf(kind).includes(action)) {
    fail('invalid_request', { errors: [{ attribute: 'action', reason: `must be an action of the kind ${kind}` }] })
  }
  return resource
}
