import { init, integrations } from '@launchdarkly/node-server-sdk'

/** The reference SDK on flags and segments that it is given: it asks nobody and tells nobody. Whoever has it closes it. */
export async function offlineSdk() {
  const data = new integrations.TestData()
  const silent = { error() {}, warn() {}, info() {}, debug() {} }
  const client = init('sdk-key', {
    updateProcessor: data.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: silent,
  })
  await client.waitForInitialization({ timeout: 10 })
  return { client, data }
}
