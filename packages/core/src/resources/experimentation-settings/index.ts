import { experimentationSettings as experimentationSettingDocuments } from '../../models/experimentation-settings/experimentation-settings.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const experimentationSettings = resource({
  title: 'Experimentation settings',
  description: 'The units by which the experiments of a project randomize.',
  collections: [experimentationSettingDocuments],
  operations: Object.values(operations),
})
