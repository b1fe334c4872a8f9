import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ActionButton } from './action-button.tsx'
import { ActionForm } from './action-form.tsx'
import { Dialog } from './dialog.tsx'

/** Name of an action, and the resource on which it is performed. */
export interface Offer {
  readonly label: string
  readonly action: string
  /** Address of the resource, e.g. `webhook/*`. */
  readonly resource: string
}

/**
 * A button for an action that the person may do, which opens a dialog. Its content is made when it opens.
 *
 * @param title title of the dialog. Default: the label of the button.
 */
export function DialogAction({
  title,
  kind,
  wide = false,
  children,
  ...offer
}: Offer & {
  title?: string
  kind?: 'primary' | 'danger'
  wide?: boolean
  children: (close: () => void) => ComponentChildren
}) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <ActionButton {...offer} {...(kind ? { kind } : {})} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={title ?? offer.label} onClose={close} wide={wide}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}

/** A button for an action that the person confirms in a dialog. */
export function ConfirmedAction({
  question,
  danger = false,
  run,
  ...offer
}: Offer & {
  question: string
  danger?: boolean
  run: () => Promise<unknown>
}) {
  return (
    <DialogAction {...offer} {...(danger ? { kind: 'danger' as const } : {})}>
      {(close) => (
        <ActionForm
          submit={offer.label}
          danger={danger}
          onCancel={close}
          onSubmit={async () => {
            await run()
            close()
          }}
        >
          <p>{question}</p>
        </ActionForm>
      )}
    </DialogAction>
  )
}
