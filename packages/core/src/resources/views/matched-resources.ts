import type { Context } from '../../operation/context.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Linkable } from './link-kind.ts'
import type { FailedResource } from './link-schema.ts'

/** Maximum number of resources that a filter can match: one commit writes two documents for each. */
export const maxMatched = 20_000

export type LinkContext = Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>

/** The resources that a request names or matches. */
export interface MatchedResources {
  /** The resources that can be linked, each once. */
  readonly linkables: readonly Linkable[]
  readonly failed: readonly FailedResource[]
}

export function refuseTooManyMatches({ fail }: LinkContext, total: number): void {
  if (total <= maxMatched) return
  const reason = `must match at most ${maxMatched} resources, not ${total}`
  fail('invalid_request', { errors: [{ attribute: 'filter', reason }] })
}
