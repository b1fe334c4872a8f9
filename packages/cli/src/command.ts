import type { Readable, Writable } from 'node:stream'
import type { Environment } from './options.ts'

/** The parts of the process that a command may use. */
export interface Terminal {
  readonly env: Environment
  readonly stdin?: Readable
  readonly stdout: Writable & { isTTY?: boolean }
  readonly stderr: Writable & { isTTY?: boolean }
  /** Aborted when the user wants the command to end. */
  readonly signal: AbortSignal
}

/** A command, which reads its own options and resolves when its work is done. */
export interface Command {
  readonly usage: string
  readonly summary: string
  readonly options: readonly string[]
  /** Returns the exit code after an error. Default: 1, as scripts of the first commands expect. */
  readonly exitCodeOf?: (error: unknown) => number
  run(args: readonly string[], terminal: Terminal): Promise<void>
}
