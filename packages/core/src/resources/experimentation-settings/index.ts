import { experimentationSettings as experimentationSettingDocuments } from '../../models/experimentation-settings/experimentation-settings.ts'
import { resource } from '../../operation/resource.ts'
import { getExperimentationSettings } from './get-experimentation-settings.ts'
import { putExperimentationSettings } from './put-experimentation-settings.ts'

export const experimentationSettings = resource({
  title: 'Experimentation settings',
  description: 'The units by which the experiments of a project randomize.',
  collections: [experimentationSettingDocuments],
  operations: [getExperimentationSettings, putExperimentationSettings],
})
