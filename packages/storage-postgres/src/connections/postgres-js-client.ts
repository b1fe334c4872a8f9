/** A parameter that the function `typed` has made. The storage does not read its properties. */
export type PostgresJsParameter = Record<never, never>

/** The queries of postgres.js: of a client, of a reserved connection, and of a transaction. */
export interface PostgresJsQueries {
  unsafe(
    text: string,
    values: PostgresJsParameter[],
    options: { readonly prepare: boolean },
  ): PromiseLike<readonly unknown[] & { readonly count: number }>
  typed(value: unknown, type: number): PostgresJsParameter
}

/** The part of a client of postgres.js (`postgres(url)`) that the storage uses. */
export interface PostgresJsClient extends PostgresJsQueries {
  reserve(): Promise<PostgresJsQueries & { release(): void }>
  listen(
    channel: string,
    onNotification: (payload: string) => void,
    onListening?: () => void,
  ): PromiseLike<{ unlisten(): Promise<void> }>
  readonly options: { readonly max: number }
}
