import { transportConformance } from '@halyard/conformance'
import { describe, it } from 'vitest'
import { runsAllCases } from './setup/runs-all-cases.ts'
import { transportHarnesses } from './transport-harnesses.ts'

for (const harness of transportHarnesses.filter(({ name }) => runsAllCases || name.startsWith('Express'))) {
  describe(harness.name, () => {
    for (const { group, name, run } of transportConformance(harness)) it(`${group}: ${name}`, run)
  })
}
