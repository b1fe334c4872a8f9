import type { ReferenceRow } from '../../../operation/reference-row.ts'
import { accessReferrers } from './access-referrers.ts'
import { aiConfigReferrers } from './ai-config-referrers.ts'
import { experimentReferrers } from './experiment-referrers.ts'
import { maintainedReferrers } from './maintained-referrers.ts'
import type { MakeReferrer } from './referrer.ts'
import { releaseReferrers } from './release-referrers.ts'
import { targetingReferrers } from './targeting-referrers.ts'

/** Returns the name of a row, which is its key in {@link referrers}. */
export function nameOf({ from, property, to }: ReferenceRow): string {
  return `${from.name} ${property} -> ${to.name}`
}

/** Makes a document that refers to the target of each row, by the name of the row. */
export const referrers: ReadonlyMap<string, MakeReferrer> = new Map([
  ...accessReferrers,
  ...maintainedReferrers,
  ...targetingReferrers,
  ...releaseReferrers,
  ...experimentReferrers,
  ...aiConfigReferrers,
])
