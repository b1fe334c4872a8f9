import type { FlagFormat } from '../flag-format.ts'
import { withoutUnmatchableClauses } from '../unmatchable-clauses.ts'
import { openUnleash } from './evaluator.ts'
import { readUnleash } from './read-unleash.ts'

/** The format of Unleash: the responses of its server. */
export const unleashFormat: FlagFormat = {
  name: 'unleash',
  title: 'Unleash',
  fileContent: 'responses of features-batch/export or /api/client/features',
  read: (values, options) => withoutUnmatchableClauses(readUnleash(values, options)),
  evaluator: { package: 'unleash-client', open: openUnleash },
}
