import { useState } from 'preact/hooks'
import { consolePaths } from '../../console-paths.ts'
import { api } from '../api.ts'
import { WhyNot } from '../components/action-button.tsx'
import { ActionForm } from '../components/action-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SelectField, TextField } from '../components/fields.tsx'
import { MemberChoice } from '../components/member-choice.tsx'
import { QueryView } from '../components/query-view.tsx'
import { announce } from '../notices.ts'
import { recentContexts } from '../recent-contexts.ts'
import { rightTo } from '../rights.ts'
import { callConsole } from '../session.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import type { ReviewedChange } from './reviewed-change.ts'
import { SimulationReport, type SimulationView } from './simulation-report.tsx'

type When = keyof typeof texts.review.submit

/** Shows what a change does before it is made, then saves it, schedules it, or asks for approval. */
export function ReviewDialog({
  change,
  onClose,
  onDone = onClose,
}: {
  change: ReviewedChange
  onClose: () => void
  onDone?: () => void
}) {
  const simulation = useQuery(JSON.stringify(change.simulated), () =>
    callConsole<SimulationView>(consolePaths.simulation, { ...change.simulated, contexts: recentContexts() }),
  )
  return (
    <Dialog title={texts.review.title} onClose={onClose} wide>
      {simulation.data === undefined && simulation.error === undefined && <p class="quiet">{texts.review.computing}</p>}
      {(simulation.data !== undefined || simulation.error !== undefined) && (
        <QueryView query={simulation}>{(result) => <SimulationReport simulation={result} />}</QueryView>
      )}
      {(simulation.data?.changeLogEntry || simulation.error !== undefined) && (
        <SaveForm
          change={change}
          // A change that cannot be simulated may exceed the rights of the person, who may still ask for its approval.
          mayNow={simulation.data?.approvals.required === false}
          onDone={onDone}
        />
      )}
    </Dialog>
  )
}

interface SaveInput {
  readonly comment: string
  readonly date: string
  readonly reviewers: readonly string[]
}

/** Offers what the person may do with the change: make it now or later, or ask for its approval. */
function SaveForm({ change, mayNow, onDone }: { change: ReviewedChange; mayNow: boolean; onDone: () => void }) {
  const [chosen, setWhen] = useState<When | undefined>(undefined)
  const [comment, setComment] = useState('')
  const [date, setDate] = useState('')
  const [reviewers, setReviewers] = useState<readonly string[]>([])
  const rights = {
    // Only flags have scheduled changes, and a right to schedule them.
    schedule: change.schedule && rightTo('updateScheduledChanges', change.resource).value,
    request: rightTo('createApprovalRequest', change.resource).value,
  }
  const offered: When[] = [
    ...(mayNow ? (['now'] as const) : []),
    ...(rights.schedule?.allowed ? (['schedule'] as const) : []),
    ...(rights.request?.allowed ? (['request'] as const) : []),
  ]
  if ((change.schedule && !rights.schedule) || !rights.request) return <p class="quiet">{texts.loading}</p>
  const preferred = mayNow ? 'now' : offered.includes('request') ? 'request' : offered[0]
  const when = chosen ?? preferred
  if (when === undefined) return <Refusal action="createApprovalRequest" resource={change.resource} />
  const save = async () => {
    await makeChange(change, when, { comment, date, reviewers })
    announce(texts.review.done[when])
    onDone()
  }
  return (
    <ActionForm submit={texts.review.submit[when]} onSubmit={save}>
      <SelectField
        label={texts.review.when}
        value={when}
        onValue={setWhen}
        options={offered.map((each) => [each, texts.review[each]] as const)}
      />
      {when === 'schedule' && (
        <TextField label={texts.review.date} type="datetime-local" value={date} onValue={setDate} required />
      )}
      {when === 'request' && (
        <>
          <TextField label={texts.review.requestDate} type="datetime-local" value={date} onValue={setDate} />
          <MemberChoice legend={texts.review.reviewers} chosen={reviewers} onChange={setReviewers} />
        </>
      )}
      <TextField
        label={when === 'request' ? texts.review.requestDescription : texts.comment}
        value={comment}
        onValue={setComment}
        required={when === 'request'}
      />
    </ActionForm>
  )
}

/** Shows why a person may not ask for the approval of a change. */
function Refusal({ action, resource }: { action: string; resource: string }) {
  const right = rightTo(action, resource).value
  if (!right) return null
  return <WhyNot label={texts.review.request} action={action} resource={resource} right={right} />
}

/** Makes the change now or later, or asks for its approval. */
async function makeChange(change: ReviewedChange, when: When, input: SaveInput): Promise<void> {
  const { comment, date, reviewers } = input
  if (when === 'now') await change.save(comment)
  else if (when === 'schedule') await change.schedule?.(comment, new Date(date).getTime())
  else {
    const instructions = [...change.instructions]
    const execution = date === '' ? {} : { executionDate: new Date(date).getTime() }
    const request = { description: comment, instructions, notifyMemberIds: [...reviewers], ...execution }
    await api.createApprovalRequest({ body: { resourceId: change.resource, ...request } })
  }
}
