import {
  evaluationCountingStarts,
  evaluationHours,
  evaluationReports,
  flagUses,
} from '../../models/flag-evaluations/flag-evaluation.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const flagEvaluations = resource({
  title: 'Flag evaluations',
  description: 'Counts of evaluations, from the reports of SDKs and, with `countEvaluations`, of this engine.',
  collections: [evaluationCountingStarts, evaluationHours, evaluationReports, flagUses],
  operations: Object.values(operations),
  parameters: {
    from: 'Start of the counts: integer ms, UTC. Default: 30 days ago. Counts are of whole hours of UTC, so they begin with the hour that contains it, and not more than 90 days ago.',
    to: 'End of the counts, exclusive: integer ms, UTC. Default: now. The hour that contains it counts as a whole.',
    tz: 'Time zone of the days, as the IANA database names it. Default: UTC. Its days must begin at a full hour of UTC, unless the counts are of hours.',
  },
})
