import { inProcess, transportConformance } from '@halyard/conformance'

const cases = transportConformance(inProcess)
// In a test file: for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
await cases[0]?.run()
