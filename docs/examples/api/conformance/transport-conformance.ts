import { inProcessHarness, transportConformance } from '@halyard/conformance'

const cases = transportConformance(inProcessHarness)
// In a test file: for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
await cases[0]?.run()
