/** What an operation is called with. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A body that is no JSON, in its stead. */
  readonly text?: string
  /** Default `application/json`. */
  readonly mediaType?: string
}

/** What examples are made from. */
export interface Examples {
  /** A key that no other example has. */
  fresh(): string
  /**
   * Calls an operation as administrator, with its own example unless another input is given.
   *
   * @returns the body of the answer; an answer that is no success throws.
   */
  call<Body = Record<string, unknown>>(id: string, input?: Example): Promise<Body>
}

/** Makes an example of an operation, one that succeeds, each time anew. */
export type ExampleMaker = (world: Examples) => Example | Promise<Example>

/** The examples of a slice, by operation id. */
export type ExampleMakers = Readonly<Record<string, ExampleMaker>>

/** A JSON Patch that replaces one member. */
export function replacing(path: string, value: unknown) {
  return [{ op: 'replace', path, value }]
}
