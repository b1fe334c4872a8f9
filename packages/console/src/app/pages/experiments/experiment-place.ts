/** An environment with experiments. */
export interface ExperimentPlace {
  readonly project: string
  readonly environment: string
}

/** Keys of an experiment, as its operations accept them. */
export interface ExperimentKeys {
  readonly projectKey: string
  readonly environmentKey: string
  readonly experimentKey: string
}
