import type { EngineOptions } from '../operation/engine-options.ts'
import { fail } from '../operation/errors.ts'
import { parseAddress, type Resource } from '../rules/address.ts'
import type { Explanation } from '../rules/policy/explain.ts'
import type { PolicyRules } from '../rules/policy/policy-rules.ts'
import type { PolicyVocabulary } from '../rules/policy/vocabulary.ts'
import type { As, Authenticator } from './authenticate.ts'
import type { Authority } from './authority.ts'
import { asFailure } from './encode.ts'

/** A question about access: may `as` do `action` to `resource`? */
export interface AccessQuestion {
  /** Who would act. */
  readonly as?: As
  /** An action of the resource's kind (D17), e.g. `updateOn`. */
  readonly action: string
  /** An address (D14), e.g. `proj/web:env/production:flag/checkout`; the key `*` stands for every thing of its kind. */
  readonly resource: string
}

interface ExplainParts {
  readonly options: Pick<EngineOptions, 'host'>
  readonly authenticator: Authenticator
  readonly authority: Authority
  readonly policy: PolicyRules
}

/**
 * Answers a question about access in process, as the doors would decide it now.
 *
 * @throws ApiError as `Engine.explain` says.
 */
export async function explainAccess(parts: ExplainParts, question: AccessQuestion): Promise<Explanation> {
  const { authenticator, authority, options } = parts
  try {
    const resource = resourceOf(question, parts.policy.vocabulary)
    const caller = await authenticator.fromHost(question.as)
    return await authority.explain(caller, question.action, resource)
  } catch (error) {
    throw asFailure(error, options.host, 'explain', 'in-process')
  }
}

/** Words that no operation asks about are refused: `*` would allow them, and nothing could ever make use of it. */
function resourceOf({ action, resource: text }: AccessQuestion, vocabulary: PolicyVocabulary): Resource {
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
