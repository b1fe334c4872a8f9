import { fail } from '../../operation/errors.ts'
import type { FlagLink } from './flag-link.ts'

/**
 * Requires that a link has either both an integration key and metadata, or neither
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d21-flag-links).
 */
export function requireIntegrationMetadata({
  integrationKey,
  metadata,
}: Pick<FlagLink, 'integrationKey' | 'metadata'>): void {
  if ((integrationKey === undefined) === (metadata === undefined)) return
  const errors =
    metadata === undefined
      ? [{ attribute: 'metadata', reason: 'must be present when the link has an integrationKey' }]
      : [{ attribute: 'metadata', reason: 'must be left out unless the link has an integrationKey' }]
  fail('invalid_request', { errors })
}
