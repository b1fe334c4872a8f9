/** The part of the server-side SDK of the reference API that is needed to give it flags. */
export interface OfflineLibrary<Client, Data> {
  readonly init: (sdkKey: string, options: object) => Client
  readonly integrations: { readonly TestData: new () => Data }
}

interface StartedClient {
  waitForInitialization(options: { timeout: number }): Promise<unknown>
}

interface DataSource {
  getFactory(): unknown
}

const silentLogger = { error() {}, warn() {}, info() {}, debug() {} }

/** Opens the SDK on local data, without any connection to a server. The caller closes it. */
export async function openOfflineSdk<Client extends StartedClient, Data extends DataSource>({
  init,
  integrations,
}: OfflineLibrary<Client, Data>): Promise<{ readonly client: Client; readonly data: Data }> {
  const data = new integrations.TestData()
  const client = init('sdk-key', {
    updateProcessor: data.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: silentLogger,
  })
  await client.waitForInitialization({ timeout: 10 })
  return { client, data }
}
