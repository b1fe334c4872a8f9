import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { revision } from './api.ts'

/** State of a query. */
export interface QueryState<Data> {
  /** The last loaded data, also while newer data is loading. */
  readonly data: Data | undefined
  readonly error: unknown
  readonly loading: boolean
  /** Loads again. */
  readonly reload: () => void
}

/**
 * Loads data when a component is mounted, when the key changes, and after each change of data.
 *
 * @param key identifies what is loaded. Data of another key is not shown.
 * @param filter part of what is loaded, such as the text of a search. Data of another filter is shown until the new
 *   data is loaded. Default: none.
 */
export function useQuery<Data>(key: string, load: () => Promise<Data>, filter = ''): QueryState<Data> {
  const [state, setState] = useState<{ key: string; data?: Data; error?: unknown; loading: boolean }>({
    key,
    loading: true,
  })
  const [attempt, setAttempt] = useState(0)
  const latest = useRef(0)
  const loader = useRef(load)
  loader.current = load
  const { value: currentRevision } = revision
  useEffect(() => {
    const request = ++latest.current
    const isCurrent = () => request === latest.current
    setState((before) => (before.key === key ? { ...before, loading: true } : { key, loading: true }))
    loader.current().then(
      (data) => isCurrent() && setState({ key, data, loading: false }),
      (error) =>
        isCurrent() &&
        setState((before) => ({ key, error, loading: false, ...(before.key === key ? { data: before.data } : {}) })),
    )
    return () => {
      latest.current++
    }
  }, [key, filter, attempt, currentRevision])
  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  const isCurrentKey = state.key === key
  return {
    data: isCurrentKey ? state.data : undefined,
    error: isCurrentKey ? state.error : undefined,
    loading: !isCurrentKey || state.loading,
    reload,
  }
}
