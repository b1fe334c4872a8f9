import { transportConformance } from '@halyard/conformance'
import { describe, it } from 'vitest'
import { runsAllCases, selectCases } from './setup/runs-all-cases.ts'
import { transportHarnesses } from './transport-harnesses.ts'

for (const harness of transportHarnesses.filter(({ name }) => runsAllCases || name.startsWith('Express'))) {
  describe(harness.name, () => {
    for (const { group, name, run } of selectCases(transportConformance(harness))) it(`${group}: ${name}`, run)
  })
}
