import { referenceTable } from '../../operation/reference-row.ts'
import { accountReferences } from './account-references.ts'
import { aiReferences } from './ai-references.ts'
import { experimentReferences } from './experiment-references.ts'
import { maintainerReferences } from './maintainer-references.ts'
import { mayViewReferrer } from './may-view-referrer.ts'
import { metricReferences } from './metric-references.ts'
import { oauthReferences } from './oauth-references.ts'
import { projectReferences } from './project-references.ts'
import { releaseReferences } from './release-references.ts'
import { targetingReferences } from './targeting-references.ts'

/**
 * The table of references: which documents refer to which other documents, and the effect of deleting the document that
 * is referred to (docs/decisions/0051-refuse-to-delete-what-is-referred-to.md). The checks of every commit and the
 * tests are derived from it.
 */
export const references = referenceTable(
  [
    ...accountReferences,
    ...oauthReferences,
    ...maintainerReferences,
    ...targetingReferences,
    ...releaseReferences,
    ...aiReferences,
    ...experimentReferences,
    ...projectReferences,
    ...metricReferences,
  ],
  mayViewReferrer,
)
