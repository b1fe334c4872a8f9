interface PatchOperation {
  readonly op: string
  readonly path: string
  readonly value?: unknown
}

/**
 * A changed part: its JSON Pointer, and its values before and after. A value is undefined when the part did not exist
 * at that time.
 */
export interface ChangedValue {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** Returns the parts that a patch changes, with the values that its inverse restores. */
export function changedValues({
  patch,
  inverse,
}: {
  readonly patch: readonly PatchOperation[]
  readonly inverse: readonly PatchOperation[]
}): ChangedValue[] {
  const paths = [...new Set([...patch, ...inverse].filter(({ op }) => op !== 'test').map(({ path }) => path))]
  const valueAt = (operations: readonly PatchOperation[], path: string) =>
    operations.findLast((operation) => operation.path === path && operation.op !== 'remove')?.value
  return paths.map((path) => ({ path, before: valueAt(inverse, path), after: valueAt(patch, path) }))
}
