import { fail } from '../../operation/errors.ts'
import type { FlagLink } from './flag-link.ts'

/** What only an integration can read is kept with its links and with no other (D21). */
export function requireTogether({ integrationKey, metadata }: Pick<FlagLink, 'integrationKey' | 'metadata'>): void {
  if ((integrationKey === undefined) === (metadata === undefined)) return
  const errors =
    metadata === undefined
      ? [{ attribute: 'metadata', reason: 'must be present in a link of an integration' }]
      : [{ attribute: 'metadata', reason: 'must be left out, except in a link of an integration' }]
  fail('invalid_request', { errors })
}
