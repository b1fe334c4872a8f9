import type { FlagFormat } from '../flag-format.ts'
import { withoutUnmatchableClauses } from '../unmatchable-clauses.ts'
import { openFlagd } from './evaluator.ts'
import { readFlagd } from './read-flagd.ts'

/** The format of flagd: the file of a flag set. */
export const flagdFormat: FlagFormat = {
  name: 'flagd',
  title: 'flagd',
  fileContent: 'a flag set',
  read: (values, options) => withoutUnmatchableClauses(readFlagd(values, options)),
  evaluator: { package: '@openfeature/flagd-core', open: openFlagd },
}
