// @ts-expect-error chai ships no declarations of its own
import { assert as chaiAssert } from 'chai'

/** The few of chai's assertions that the suites are written with. */
export interface Assert {
  isTrue(actual: unknown, message?: string): void
  isFalse(actual: unknown, message?: string): void
  isUndefined(actual: unknown, message?: string): void
  /** Strict equality. */
  equal(actual: unknown, expected: unknown, message?: string): void
  deepEqual(actual: unknown, expected: unknown, message?: string): void
  fail(message: string): never
}

export const assert: Assert = { ...chaiAssert, equal: chaiAssert.strictEqual }
