/** An AI config, and the environment in which it is looked at. */
export interface AIConfigPlace {
  readonly project: string
  readonly environment: string
  readonly config: string
}
