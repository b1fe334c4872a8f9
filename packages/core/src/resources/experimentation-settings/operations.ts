export { getExperimentationSettings } from './get-experimentation-settings.ts'
export { putExperimentationSettings } from './put-experimentation-settings.ts'
