import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const flagEvents = resource({
  title: 'Flag events',
  description: 'Changes of flags that were made in this account or reported by other systems.',
  kinds: [{ shape: 'proj:env:flag-event', actions: ['createFlagEvent'] }],
  operations: Object.values(operations),
  parameters: {
    source: 'Only changes that were made in this account (`changes`), or only events of other systems (`events`).',
    impactSize: 'Only flags whose change has an impact of this size.',
    hasExperiments: 'Only flags with an experiment, or only flags without one.',
    global: 'Whether to list changes that affect all contexts.',
  },
})
