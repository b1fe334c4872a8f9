import { OpenFeature } from '@openfeature/server-sdk'
import { flags } from './flags.ts'

/** Returns the steps of the checkout for a user. */
export function checkoutSteps(user: { readonly key: string }): readonly string[] {
  return flags.checkout({ kind: 'user', ...user }) ? ['pay'] : ['address', 'pay']
}

/** Returns the title of the checkout for a user. */
export async function checkoutTitle(user: { readonly key: string }): Promise<string> {
  const isNew = await OpenFeature.getClient().getBooleanValue('checkout', false, { targetingKey: user.key })
  return isNew ? 'Pay now' : 'Check out'
}
