import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { refresh } from '../api.ts'
import { texts } from '../texts.ts'
import { ErrorMessage } from './query-view.tsx'

/** A form that calls the API, shows why a call failed, and loads the pages again after a successful one. */
export function ActionForm({
  submit,
  onSubmit,
  onCancel,
  disabled = false,
  danger = false,
  children,
}: {
  submit: string
  onSubmit: () => Promise<unknown>
  onCancel?: () => void
  disabled?: boolean
  danger?: boolean
  children?: ComponentChildren
}) {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false })
  const run = async () => {
    setState({ busy: true })
    try {
      await onSubmit()
      setState({ busy: false })
      refresh()
    } catch (error) {
      setState({ busy: false, error })
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!state.busy) void run()
      }}
    >
      {children}
      {state.error !== undefined && <ErrorMessage error={state.error} />}
      <div class="row">
        <button type="submit" class={danger ? 'danger' : 'primary'} disabled={disabled || state.busy}>
          {submit}
        </button>
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {texts.cancel}
          </button>
        )}
      </div>
    </form>
  )
}
