import { leadTimeDays, leadTimeEpochs, leadTimeHours, openDays } from '../../models/lead-time/lead-time-day.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const leadTimes = resource({
  title: 'Lead time',
  description: 'The time from the first commit of a change to its deployment.',
  kinds: [{ shape: 'proj:env:lead-time-sample', actions: ['createLeadTimeSample'] }],
  collections: [leadTimeDays, leadTimeEpochs, leadTimeHours, openDays],
  operations: Object.values(operations),
})
