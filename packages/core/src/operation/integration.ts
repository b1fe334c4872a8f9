import { keyPattern } from './schema.ts'

/** An external tool that the host application integrates, such as a tracker of tickets. */
export interface Integration {
  /** Key by which requests refer to the integration: 1 to 256 letters, digits, `.`, `_` and `-`. */
  readonly key: string
  readonly manifest: IntegrationManifest
}

/** Declares what an integration can do. Further properties are ignored. */
export interface IntegrationManifest {
  readonly capabilities?: {
    /** Present when links of flags can belong to the integration (docs/specification.md#flag-links). */
    readonly flagLink?: object
  }
}

/**
 * Returns the keys of the integrations to which links of flags can belong.
 *
 * @throws RangeError when a key is invalid or repeated.
 */
export function flagLinkIntegrations(integrations: readonly Integration[]): ReadonlySet<string> {
  const keys = integrations.map(({ key }) => key)
  const isInvalid = (key: string, index: number) => !keyPattern.test(key) || keys.indexOf(key) !== index
  const invalidIndex = keys.findIndex(isInvalid)
  if (invalidIndex >= 0) throw new RangeError(`integrations.${invalidIndex}.key: must be a key, and unique`)
  return new Set(integrations.filter(({ manifest }) => manifest.capabilities?.flagLink).map(({ key }) => key))
}
