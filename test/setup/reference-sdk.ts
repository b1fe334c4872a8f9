import { init, integrations } from '@launchdarkly/node-server-sdk'
import { openOfflineSdk } from '../../packages/import/src/reference/offline-sdk.ts'

/** The reference SDK on flags and segments that it is given: it asks nobody and tells nobody. Whoever has it closes it. */
export function offlineSdk() {
  return openOfflineSdk({ init, integrations })
}
