import { resource } from '../../operation/resource.ts'
import { flagTriggers as flagTriggerDocuments, flagTriggerIndex, flagTriggerUses } from './flag-trigger.ts'
import * as operations from './operations.ts'

export const flagTriggers = resource({
  title: 'Flag triggers',
  description: 'URLs by which other systems, such as those that raise alerts, turn a flag on or off in an environment.',
  collections: [flagTriggerDocuments, flagTriggerIndex, flagTriggerUses],
  operations: Object.values(operations),
  parameters: { secret: 'The secret of a trigger, from the URL that the creation returned.' },
})
