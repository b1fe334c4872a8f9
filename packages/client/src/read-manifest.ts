/** An operation, as a line of the manifest describes it. */
export interface OperationEntry {
  readonly id: string
  readonly method: string
  /** Path with its parameters in braces, e.g. `/api/v2/teams/{teamKey}`. */
  readonly path: string
  /** Set when the request body or the response body is a CSV file instead of JSON. */
  readonly file: 'upload' | 'download' | undefined
}

/** Reads the manifest: one operation in each line, e.g. `GET getTeam /api/v2/teams/{teamKey}`. */
export function readManifest(manifest: string): OperationEntry[] {
  return manifest
    .trim()
    .split('\n')
    .map((line) => {
      const [method, id, path, file] = line.split(' ')
      return { id, method, path, file } as OperationEntry
    })
}
