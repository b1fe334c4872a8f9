/** An AI config, and the environment of the page that shows it. */
export interface AIConfigPlace {
  readonly project: string
  readonly environment: string
  readonly config: string
}
