import type { FlagFormat } from '../flag-format.ts'
import { withoutUnmatchableClauses } from '../unmatchable-clauses.ts'
import { flagsmithEvaluator } from './evaluator.ts'
import { readFlagsmith } from './read-flagsmith.ts'

/** The format of `halyard import flagsmith`. */
export const flagsmithFormat: FlagFormat = {
  name: 'flagsmith',
  title: 'Flagsmith',
  fileContent: 'environment documents, or a feature export',
  read: (values, options) => withoutUnmatchableClauses(readFlagsmith(values, options)),
  evaluator: flagsmithEvaluator,
}
