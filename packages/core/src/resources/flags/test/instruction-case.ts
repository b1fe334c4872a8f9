import { expect } from 'vitest'
import type { PaintedFlag } from './painted-flag.ts'

interface ExpectedChange {
  /** Expected flag-wide properties that differ from before. */
  readonly flag?: object
  /** Expected properties of the configuration in production that differ from before. */
  readonly config?: object
  /** Expected properties of the configuration in test that differ from before. */
  readonly test?: object
}

/** An instruction and its expected effect. */
export interface InstructionCase {
  readonly kind: string
  /** Distinguishes the case from others of the same kind. */
  readonly note?: string
  /** Properties of the instruction, except the kind. Default: no other properties. */
  readonly with?: (flag: PaintedFlag) => object
  /** Instructions that are applied before. Default: no instructions. */
  readonly first?: (flag: PaintedFlag) => object[]
  readonly expectedOf: (flag: PaintedFlag) => ExpectedChange
}

/** Matches an id that was generated in the test. */
export const anyId = expect.stringMatching(/^id-\d+$/)
