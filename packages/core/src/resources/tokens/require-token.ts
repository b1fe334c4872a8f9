import { type Token, tokens } from '../../models/tokens/token.ts'
import type { Context } from '../../operation/context.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'

/**
 * Returns the token of an id, if the caller may do one of the actions of each demand. The resource of a token depends
 * on its owner, which its id does not reveal, so the rights are checked after the token was read.
 *
 * A token that the caller may not view is `not_found`, so that ids cannot be probed.
 */
export async function requireToken(
  context: Context<Reader, 'not_found' | 'forbidden'>,
  params: { readonly id: string },
  ...demands: readonly (readonly Action[])[]
): Promise<Token> {
  const token = (await context.tx.get(tokens, params)) ?? context.fail('not_found')
  const isAllowed = (action: Action) => context.allowed(action, tokens, params, token)
  for (const actions of demands) {
    const results = await Promise.all(actions.map(isAllowed))
    if (results.includes(true)) {
      // With several actions, the handler determines later which one is needed.
      if (actions.length === 1) await context.demand(actions[0] as Action, tokens, params, token)
      continue
    }
    const explanation = await context.whyNot(actions[0] as Action, tokens, params, token)
    return context.fail((await isAllowed('viewToken')) || onlyViews(demands) ? 'forbidden' : 'not_found', {
      explanation,
    })
  }
  return token
}

/**
 * Returns true for a request that only views a token. The specification lists the error `forbidden` for it. Such an
 * error reveals no more than the id of the token, which the request contains.
 */
function onlyViews(demands: readonly (readonly Action[])[]): boolean {
  return demands.length === 1 && demands[0]?.includes('viewToken') === true
}
