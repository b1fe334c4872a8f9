import type { FlagFormat } from '../flag-format.ts'
import { withoutUnmatchableClauses } from '../unmatchable-clauses.ts'
import { openReference } from './evaluator.ts'
import { readReference } from './read-reference.ts'

/** The format of the API on which this API is modeled: its responses. */
export const referenceFormat: FlagFormat = {
  name: 'reference',
  title: 'the reference API',
  fileContent: 'responses of GET /api/v2/flags/{projectKey}?summary=0, and segments',
  read: (values, options) => withoutUnmatchableClauses(readReference(values, options)),
  evaluator: { package: '@launchdarkly/node-server-sdk', open: openReference },
}
