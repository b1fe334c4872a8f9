import type { EvaluationContext } from '@halyard/core/evaluation'
import type { ImportedProject } from './imported-project.ts'

/** A service whose exports can be imported. */
export interface FlagFormat {
  /** Name of the format in the command: `halyard import <name> <file>`. */
  readonly name: string
  /** Name of the format in sentences. */
  readonly title: string
  /** Content of the file, for the help of the command. */
  readonly fileContent: string
  /**
   * Reads an export. The result depends only on the file.
   *
   * @param values each JSON value of the file, which may contain several one after the other.
   */
  readonly read: (values: readonly unknown[], options: ReadOptions) => ReadExport
  /** The vendor's own evaluator. Without one, the original and the imported rules are not compared. */
  readonly evaluator?: OldEvaluatorFactory
}

/** Options for reading an export. */
export interface ReadOptions {
  /**
   * The requested environment. If an export names no environment, it is imported into the requested environment; if it
   * has several, only the requested environment is imported.
   */
  readonly environmentKey?: string | undefined
}

/** Target environment of an export that names no environment, unless another one is requested. */
export const defaultEnvironmentKey = 'production'

/** An export that was read, or the first error in it. */
export type ReadExport = { readonly ok: true; readonly importedProject: ImportedProject } | ExportError

/** The first position in an export that does not match the format. */
export interface ExportError {
  readonly ok: false
  /** Position of the error, as a JSON pointer. */
  readonly at: string
  /** Text that follows the pointer in a sentence, e.g. `must be a string`. */
  readonly reason: string
}

/** Opens the evaluator of a vendor. */
export interface OldEvaluatorFactory {
  /** Name of the package that contains the evaluator. It is an optional peer dependency of this package. */
  readonly package: string
  /**
   * Opens the evaluator on an export.
   *
   * @param library the exports of the package.
   * @param values the same values that {@link FlagFormat.read} received.
   */
  readonly open: (library: unknown, values: readonly unknown[], options: ReadOptions) => Promise<OldEvaluator>
}

/** The original rules, as the vendor evaluates them. */
export interface OldEvaluator {
  /**
   * Evaluates a flag under its original name.
   *
   * @param context a context in the form of this engine; the evaluator converts it to the form of its own SDK.
   * @returns the value in the form of the imported flag; undefined when the default in the caller's code is used.
   */
  readonly evaluate: (query: OldEvaluationQuery) => EvaluationOutcome | Promise<EvaluationOutcome>
  readonly close: () => void | Promise<void>
}

/** The flag, environment and context that the other service evaluates. */
export interface OldEvaluationQuery {
  /** Environment of the imported flag. */
  readonly environmentKey: string
  readonly from: string
  readonly context: EvaluationContext
}

/** The value of a flag in the other service, and its reason. */
export interface EvaluationOutcome {
  readonly value: unknown
  readonly why: string
}
