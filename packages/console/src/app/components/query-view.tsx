import type { ComponentChildren } from 'preact'
import { hasStatus, messageOf } from '../api.ts'
import { texts } from '../texts.ts'
import type { QueryState } from '../use-query.ts'

/** Shows the data of a query, or the reason why there is no data. */
export function QueryView<Data>({
  query,
  children,
}: {
  query: QueryState<Data>
  children: (data: Data) => ComponentChildren
}) {
  const { data, error, reload } = query
  if (data !== undefined) {
    return (
      <>
        {error !== undefined && <ErrorMessage error={error} />}
        {children(data)}
      </>
    )
  }
  if (error === undefined) return <p class="quiet">{texts.loading}</p>
  return (
    <div>
      <ErrorMessage error={error} />
      {!hasStatus(error, 404) && (
        <button type="button" onClick={reload}>
          {texts.retry}
        </button>
      )}
    </div>
  )
}

/** Shows the message of an error. */
export function ErrorMessage({ error }: { error: unknown }) {
  return (
    <p class="error" role="alert">
      {messageOf(error)}
    </p>
  )
}
