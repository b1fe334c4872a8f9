import { useState } from 'preact/hooks'
import { api, type ResponseOf, refresh } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { QueryView } from '../components/query-view.tsx'
import { Time } from '../components/time.tsx'
import type { FlagPlace } from '../review/reviewed-change.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import { ApprovalList } from './approval-list.tsx'
import { ChangeEffect } from './change-effect.tsx'
import { InstructionList, instructionNames } from './instruction-list.tsx'

/** The scheduled changes and the approval requests of a flag in an environment. */
export function PendingChanges({ place }: { place: FlagPlace }) {
  const keys = { projectKey: place.project, environmentKey: place.environment, flagKey: place.flag }
  const resource = `proj/${place.project}:env/${place.environment}:flag/${place.flag}`
  const scheduled = useQuery(`scheduled ${resource}`, () => api.listScheduledChanges(keys))
  const remove = async (id: string) => {
    await api.deleteScheduledChange({ ...keys, id }).catch(() => undefined)
    refresh()
  }
  return (
    <>
      <section class="panel">
        <h2>{texts.pending.scheduled}</h2>
        <QueryView query={scheduled}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="quiet">{texts.pending.none}</p>
            ) : (
              <ul class="plain-list">
                {items.map(({ _id, executionDate, instructions, comment, failure }) => (
                  <li key={_id} class="entry">
                    <p>
                      {texts.pending.at} <Time value={executionDate} />
                      {failure && <span class="error"> {texts.pending.failed(failure.reason)}</span>}
                    </p>
                    {comment && <p>{comment}</p>}
                    <Effect keys={keys} id={_id} instructions={instructions} />
                    <ActionButton
                      label={texts.pending.remove}
                      action="updateScheduledChanges"
                      resource={resource}
                      onClick={() => void remove(_id)}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
      </section>
      <section class="panel">
        <h2>{texts.pending.requests}</h2>
        <ApprovalList filter={`resourceId equals "${resource}"`} />
      </section>
    </>
  )
}

/** What a scheduled change does, on request. */
function Effect({
  keys,
  id,
  instructions,
}: {
  keys: object
  id: string
  instructions: ResponseOf<'listScheduledChanges'>['items'][number]['instructions']
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p>{instructionNames(instructions)}</p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{texts.approvals.what}</summary>
        {isOpen && <ChangeEffect planned={{ ...keys, scheduledChangeId: id }} />}
        {isOpen && <InstructionList instructions={instructions} />}
      </details>
    </>
  )
}
