import { createClient } from '@halyard/client'
import { apiHarness } from '@halyard/conformance'
import { createFetchHandler } from '@halyard/transport-fetch'

const baseUrl = 'http://localhost'
const harness = apiHarness('client', (engine) => createClient({ baseUrl, fetch: createFetchHandler(engine) }).api)
console.log(harness.name) // client
