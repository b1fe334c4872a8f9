import type { ComponentChildren } from 'preact'
import { WhyNot } from '../components/action-button.tsx'
import { rightTo } from '../rights.ts'

/**
 * A part that can be changed by people who have the right to change it, or the right to ask for the approval of a
 * change.
 *
 * @param single true when the part has one field, which needs no label of its own. Default: false.
 */
export function Guarded({
  title,
  action,
  resource,
  archived = false,
  single = false,
  children,
}: {
  title: string
  action: string
  resource: string
  archived?: boolean
  single?: boolean
  children: ComponentChildren
}) {
  const right = rightTo(action, resource).value
  const mayAsk = rightTo('createApprovalRequest', resource).value?.allowed ?? false
  const mayChange = right?.allowed ?? false
  return (
    <>
      <fieldset
        disabled={archived || !(mayChange || mayAsk)}
        class={single ? 'single' : undefined}
        data-action={mayAsk && !mayChange ? 'createApprovalRequest' : action}
        data-resource={resource}
      >
        <legend>{title}</legend>
        {children}
      </fieldset>
      {right && !right.allowed && <WhyNot label={title} action={action} resource={resource} right={right} />}
    </>
  )
}
