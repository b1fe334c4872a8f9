import { useState } from 'preact/hooks'
import { ActionForm } from '../../components/action-form.tsx'
import { TextField } from '../../components/fields.tsx'

interface ResetKeyFormProps {
  readonly texts: { readonly reset: string; readonly oldKeyUntil: string; readonly oldKeyHelp: string }
  readonly question: string
  /**
   * Replaces the key. The present key works until `expiry`, in ms; without `expiry` it ends immediately.
   */
  readonly onReset: (input: { readonly expiry?: number }) => Promise<void>
  readonly onClose: () => void
}

/** A form that replaces a key, and asks until when the present one works. */
export function ResetKeyForm({ texts, question, onReset, onClose }: ResetKeyFormProps) {
  const [until, setUntil] = useState('')
  const reset = async () => {
    await onReset(until === '' ? {} : { expiry: new Date(until).getTime() })
    onClose()
  }
  return (
    <ActionForm submit={texts.reset} danger onSubmit={reset} onCancel={onClose}>
      <p>{question}</p>
      <TextField
        label={texts.oldKeyUntil}
        help={texts.oldKeyHelp}
        type="datetime-local"
        value={until}
        onValue={setUntil}
      />
    </ActionForm>
  )
}
