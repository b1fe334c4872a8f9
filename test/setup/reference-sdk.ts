import { init, integrations } from '@launchdarkly/node-server-sdk'
import { openOfflineSdk } from '../../packages/import/src/reference/offline-sdk.ts'

/** Opens the reference SDK without network access, on the flags and segments that it is given. The caller closes it. */
export function offlineSdk() {
  return openOfflineSdk({ init, integrations })
}
