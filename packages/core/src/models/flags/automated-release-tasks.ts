import { queue } from '../../storage/collection.ts'
import type { ConfigKeys } from './flag-config.ts'

/** Body of the tasks of automated releases: the configuration, and the id of the release or of its measurement. */
export interface AutomatedReleaseTask extends ConfigKeys {
  readonly id: string
  /**
   * True for a task that compares the metrics of a guarded release after new events; its id is the id of the
   * measurement. Default: the task performs a step.
   */
  readonly judges?: true
}

/** The steps of the releases of a flag in an environment run one after the other. */
export const automatedReleaseTasks = queue({
  name: 'automated-releases',
  address: 'proj/{projectKey}:env/{environmentKey}:flag/{flagKey}',
})
