import { fetchHarness, transportConformance } from '@halyard/conformance'
import { createFetchHandler } from '@halyard/transport-fetch'

const cases = transportConformance(fetchHarness('fetch', (engine) => createFetchHandler(engine)))
await cases[0]?.run()
