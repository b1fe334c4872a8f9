import type { Environment } from '../../models/environments/environment.ts'
import type { SdkKey } from '../../models/sdk-keys/sdk-key.ts'
import type { Fail } from '../../operation/errors.ts'

/** The operation that replaces each default key, by the key under which it is listed. */
const resetOperations: Readonly<Record<string, string>> = { default: 'resetSdkKey', 'default-mobile': 'resetMobileKey' }

/** Returns true for a key under which a default key is listed, so that no other SDK key can have it. */
export function isDefaultKey(sdkKeyKey: string): boolean {
  return Object.hasOwn(resetOperations, sdkKeyKey)
}

/**
 * Returns the default keys of an environment as SDK keys. They are properties of the environment, and are not stored
 * again (docs/decisions/0136-store-sdk-keys-beside-the-default-ones.md).
 */
export function defaultSdkKeys({ apiKey, mobileKey, createdAt, version }: Environment): readonly SdkKey[] {
  const common = { description: '', createdAt, updatedAt: createdAt, version }
  return [
    { ...common, key: 'default', kind: 'sdk', name: 'Default SDK key', value: apiKey },
    { ...common, key: 'default-mobile', kind: 'mobile', name: 'Default mobile key', value: mobileKey },
  ]
}

/** Fails for a default key, which is neither changed nor deleted, because the environment always has one. */
export function refuseDefaultKey(sdkKeyKey: string, verb: 'changed' | 'deleted', fail: Fail<'invalid_request'>): void {
  if (!isDefaultKey(sdkKeyKey)) return
  fail('invalid_request', {
    message: `The default key ${sdkKeyKey} cannot be ${verb}; ${resetOperations[sdkKeyKey]} replaces it`,
  })
}
