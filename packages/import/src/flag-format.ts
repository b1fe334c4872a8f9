import type { EvaluationContext } from '@halyard/core/evaluation'
import type { MovedProject } from './moved-project.ts'

/** A service whose exports can be imported. */
export interface FlagFormat {
  /** What is typed for it: `halyard import <name> <file>`. */
  readonly name: string
  /** What it is called in sentences. */
  readonly title: string
  /** What the file holds, for the help of the command. */
  readonly holds: string
  /**
   * Reads an export. Pure: the same file gives the same.
   *
   * @param values each JSON value of the file, of which there can be several one after the other.
   */
  readonly read: (values: readonly unknown[], options: ReadOptions) => ReadExport
  /** The vendor's own evaluator; the differential run is left out where there is none. */
  readonly evaluator?: OldEvaluatorMaker
}

/** Options for reading an export. */
export interface ReadOptions {
  /** The environment that was asked for: where an export that names none goes, or of several the only one that is read. */
  readonly environmentKey?: string | undefined
}

/** Where an export goes that names no environment, when none was asked for. */
export const presetEnvironment = 'production'

/** An export that was read, or the first place in it that is not as expected. */
export type ReadExport = { readonly ok: true; readonly moved: MovedProject } | ExportFault

/** The first position in an export that is not as the format expects. */
export interface ExportFault {
  readonly ok: false
  /** A JSON pointer. */
  readonly at: string
  /** Follows the pointer in a sentence, e.g. `must be a string`. */
  readonly reason: string
}

/** How the evaluator of a vendor is come by. */
export interface OldEvaluatorMaker {
  /** The package that has it, an optional peer of this one. */
  readonly package: string
  /**
   * Opens the evaluator on an export.
   *
   * @param library what the package exports.
   * @param values as {@link FlagFormat.read} was given them.
   */
  readonly open: (library: unknown, values: readonly unknown[], options: ReadOptions) => Promise<OldEvaluator>
}

/** The old rules, as the vendor evaluates them. */
export interface OldEvaluator {
  /**
   * Evaluates a flag under its old name.
   *
   * @param context as flags are asked here; the evaluator makes of it what its own SDK is given.
   * @returns the value in the words of the moved flag, undefined where the default in the caller's code counts.
   */
  readonly evaluate: (question: OldQuestion) => OldAnswer | Promise<OldAnswer>
  readonly close: () => void | Promise<void>
}

/** The flag, environment and context that the other service evaluates. */
export interface OldQuestion {
  /** Of the flag that was moved. */
  readonly environmentKey: string
  readonly from: string
  readonly context: EvaluationContext
}

/** The value of a flag in the other service, and its reason. */
export interface OldAnswer {
  readonly value: unknown
  readonly why: string
}
