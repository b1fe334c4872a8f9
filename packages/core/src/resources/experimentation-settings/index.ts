import { resource } from '../../operation/resource.ts'
import { experimentationSettings as experimentationSettingDocuments } from './experimentation-settings.ts'
import { getExperimentationSettings } from './get-experimentation-settings.ts'
import { putExperimentationSettings } from './put-experimentation-settings.ts'

export const experimentationSettings = resource({
  title: 'Experimentation settings',
  description: 'The units by which the experiments of a project randomize.',
  collections: [experimentationSettingDocuments],
  operations: [getExperimentationSettings, putExperimentationSettings],
})
