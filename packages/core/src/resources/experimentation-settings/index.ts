import { getExperimentationSettings } from './get-experimentation-settings.ts'
import { putExperimentationSettings } from './put-experimentation-settings.ts'

export const experimentationSettingsOperations = [getExperimentationSettings, putExperimentationSettings] as const
