import type { FlagFormat } from '../flag-format.ts'
import { withoutUnmatchableClauses } from '../unmatchable-clauses.ts'
import { growthbookEvaluator } from './evaluator.ts'
import { readGrowthbook } from './read-growthbook.ts'

/** The format of `halyard import growthbook`. */
export const growthbookFormat: FlagFormat = {
  name: 'growthbook',
  title: 'GrowthBook',
  fileContent: 'an SDK payload, or pages of the management API',
  read: (values, options) => withoutUnmatchableClauses(readGrowthbook(values, options)),
  evaluator: growthbookEvaluator,
}
