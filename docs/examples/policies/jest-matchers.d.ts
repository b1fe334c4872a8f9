import type { PolicyMatchers } from '@halyard/testing'

declare global {
  namespace jest {
    interface Matchers<R, T> extends PolicyMatchers<R> {}
  }
}
