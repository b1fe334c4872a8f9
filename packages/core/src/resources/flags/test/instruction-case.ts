import { expect } from 'vitest'
import type { Painted } from './painted-flag.ts'

interface Expected {
  /** What becomes of flag-wide members. */
  readonly flag?: object
  /** What becomes of members of the configuration in production. */
  readonly config?: object
  /** What becomes of the configuration in test. */
  readonly test?: object
}

/** An instruction and what comes of it. */
export interface InstructionCase {
  readonly kind: string
  /** What sets it apart from others of its kind. */
  readonly note?: string
  /** Its members beside the kind. Default: none. */
  readonly with?: (p: Painted) => object
  /** What is done before. Default: nothing. */
  readonly first?: (p: Painted) => object[]
  readonly makes: (p: Painted) => Expected
}

/** An id that was made in the test. */
export const anyId = expect.stringMatching(/^id-\d+$/)
