import { type PolicyMatchers, policyMatchers } from '@halyard/testing'
import { expect } from 'vitest'

expect.extend(policyMatchers)

declare module 'vitest' {
  interface Matchers<T> extends PolicyMatchers<T> {}
}
