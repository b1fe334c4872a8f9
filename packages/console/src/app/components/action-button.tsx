import { type Right, rightTo } from '../rights.ts'
import { texts } from '../texts.ts'

/**
 * A button for an action that the person may do. Without the right, the reason is shown in place of the button; one
 * click shows what comes closest to allowing the action.
 */
export function ActionButton({
  label,
  action,
  resource,
  onClick,
  kind,
}: {
  label: string
  action: string
  resource: string
  onClick: () => void
  kind?: 'primary' | 'danger'
}) {
  const right = rightTo(action, resource).value
  if (!right) return null
  if (!right.allowed) return <WhyNot label={label} action={action} resource={resource} right={right} />
  return (
    <button type="button" class={kind} data-action={action} data-resource={resource} onClick={onClick}>
      {label}
    </button>
  )
}

/** Shows that an action is not available. A click shows the reason. */
export function WhyNot({
  label,
  action,
  resource,
  right: { text, nearMisses },
}: {
  label: string
  action: string
  resource: string
  right: Right
}) {
  // The text of the explanation repeats the near misses, which are shown as a list.
  const [reason = text] = nearMisses.length > 0 ? text.split(`; ${nearMisses[0]}`) : [text]
  return (
    <details class="why-not" data-refused={action} data-resource={resource}>
      <summary>{texts.notAllowed(label)}</summary>
      <p>{reason}</p>
      {nearMisses.length > 0 && (
        <ul>
          {nearMisses.map((miss) => (
            <li key={miss}>{miss}</li>
          ))}
        </ul>
      )}
    </details>
  )
}
