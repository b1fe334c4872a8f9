import type { Context } from '../../operation/context.ts'
import type { Reader } from '../../storage/unit-of-work.ts'
import { type Token, tokens } from './token.ts'

/**
 * The token of an id, if the caller may do `action` to it. What policies call a token depends on whose it is, which
 * its id does not tell, so this door stands behind the look at storage.
 *
 * A token that the caller may not even see is `not_found`, so that ids cannot be tried out.
 */
export async function requireToken(
  context: Context<Reader, 'not_found' | 'forbidden'>,
  params: { readonly id: string },
  actions: readonly string[],
): Promise<Token> {
  const token = (await context.tx.get(tokens, params)) ?? context.fail('not_found')
  for (const action of actions) if (await context.allowed(action, tokens, params, token)) return token
  const visible = await context.allowed('viewToken', tokens, params, token)
  return context.fail(visible || actions.includes('viewToken') ? 'forbidden' : 'not_found')
}
