// @ts-expect-error chai ships no type declarations
import { assert as chaiAssert } from 'chai'

/** The few assertions of chai that the suites use. */
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
