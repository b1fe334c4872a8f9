/** The input of a call of an operation. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A body that is not JSON, sent in place of `body`. */
  readonly text?: string
  /** Default `application/json`. */
  readonly mediaType?: string
}

/** Functions with which examples are made. */
export interface ExampleContext {
  /** Returns a key that no other example has. */
  newKey(): string
  /**
   * Calls an operation as administrator, with its own example unless another input is given.
   * @returns the body of the response; throws when the response is not a success.
   */
  call<Body = Record<string, unknown>>(id: string, input?: Example): Promise<Body>
}

/** Makes an example of an operation that succeeds, a new one for each call. */
export type ExampleMaker = (context: ExampleContext) => Example | Promise<Example>

/** Makers of examples by operation id. */
export type ExampleMakers = Readonly<Record<string, ExampleMaker>>

/** The message for an operation without an example. */
export function noExampleOf(id: string): string {
  return `no example of ${id}: add one to packages/conformance/src/operations/examples`
}

/** Returns a JSON Patch that replaces one value. */
export function replaceValueAt(path: string, value: unknown) {
  return [{ op: 'replace', path, value }]
}
