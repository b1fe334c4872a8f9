import { useState } from 'preact/hooks'
import { consolePaths } from '../../console-paths.ts'
import { api, entityTagOf, type Member } from '../api.ts'
import { ActionForm } from '../components/action-form.tsx'
import { Dialog } from '../components/dialog.tsx'
import { SelectField, TextField } from '../components/fields.tsx'
import { QueryView } from '../components/query-view.tsx'
import { announce } from '../notices.ts'
import { recentContexts } from '../recent-contexts.ts'
import { callConsole } from '../session.ts'
import type { Instruction } from '../targeting/instructions-of.ts'
import { texts } from '../texts.ts'
import { useQuery } from '../use-query.ts'
import { SimulationReport, type SimulationView } from './simulation-report.tsx'

/** The flag in an environment that a change is for. */
export interface FlagPlace {
  readonly project: string
  readonly environment: string
  readonly flag: string
}

type When = keyof typeof texts.review.submit

/**
 * Shows what a change of a flag does before it is made, then saves it, schedules it, or asks for approval.
 *
 * @param ifMatch entity tag of the state that the change was made from. Default: that of the last response.
 */
export function ReviewDialog({
  place,
  instructions,
  ifMatch,
  onClose,
  onDone = onClose,
}: {
  place: FlagPlace
  instructions: readonly Instruction[]
  ifMatch?: string | undefined
  onClose: () => void
  onDone?: () => void
}) {
  const simulation = useQuery(JSON.stringify([place, instructions]), () => simulate(place, instructions))
  return (
    <Dialog title={texts.review.title} onClose={onClose} wide>
      {simulation.data === undefined && simulation.error === undefined && <p class="quiet">{texts.review.computing}</p>}
      {(simulation.data !== undefined || simulation.error !== undefined) && (
        <QueryView query={simulation}>{(result) => <SimulationReport simulation={result} />}</QueryView>
      )}
      {(simulation.data?.changeLogEntry || simulation.error !== undefined) && (
        <SaveForm
          place={place}
          instructions={instructions}
          ifMatch={ifMatch}
          needsApproval={simulation.data?.approvals.required ?? true}
          onDone={onDone}
        />
      )}
    </Dialog>
  )
}

function simulate({ project, environment, flag }: FlagPlace, instructions: readonly Instruction[]) {
  return callConsole<SimulationView>(consolePaths.simulation, {
    projectKey: project,
    environmentKey: environment,
    flagKey: flag,
    instructions,
    contexts: recentContexts(),
  })
}

interface SaveInput {
  readonly comment: string
  readonly date: string
  readonly reviewers: readonly string[]
}

function SaveForm({
  place,
  instructions,
  ifMatch,
  needsApproval,
  onDone,
}: {
  place: FlagPlace
  instructions: readonly Instruction[]
  ifMatch: string | undefined
  needsApproval: boolean
  onDone: () => void
}) {
  const [when, setWhen] = useState<When>(needsApproval ? 'request' : 'now')
  const [comment, setComment] = useState('')
  const [date, setDate] = useState('')
  const [reviewers, setReviewers] = useState<readonly string[]>([])
  const save = async () => {
    await saveChange(place, instructions, when, { comment, date, reviewers }, ifMatch)
    announce(texts.review.done[when])
    onDone()
  }
  const { now, schedule, request } = texts.review
  return (
    <ActionForm submit={texts.review.submit[when]} onSubmit={save}>
      <SelectField
        label={texts.review.when}
        value={when}
        onValue={setWhen}
        options={[
          ['now', now],
          ['schedule', schedule],
          ['request', request],
        ]}
      />
      {when === 'schedule' && (
        <TextField label={texts.review.date} type="datetime-local" value={date} onValue={setDate} required />
      )}
      {when === 'request' && <Reviewers chosen={reviewers} onChange={setReviewers} />}
      <TextField
        label={when === 'request' ? texts.review.requestDescription : texts.comment}
        value={comment}
        onValue={setComment}
        required={when === 'request'}
      />
    </ActionForm>
  )
}

/** Makes the change now or later, or asks for its approval. */
async function saveChange(
  { project: projectKey, environment: environmentKey, flag: flagKey }: FlagPlace,
  instructions: readonly Instruction[],
  when: When,
  { comment, date, reviewers }: SaveInput,
  ifMatch: string | undefined,
): Promise<void> {
  // Cast: the API validates instructions, and its errors name the invalid one.
  const checked = instructions as never
  const keys = { projectKey, environmentKey, flagKey }
  const remark = comment === '' ? {} : { comment }
  if (when === 'now') {
    const tag = ifMatch ?? entityTagOf(`/api/v2/flags/${encodeURIComponent(projectKey)}/${encodeURIComponent(flagKey)}`)
    const body = { environmentKey, instructions: checked, ...remark }
    await api.patchFlag({ projectKey, flagKey, body }, tag === undefined ? {} : { ifMatch: tag })
  } else if (when === 'schedule') {
    const executionDate = new Date(date).getTime()
    await api.createScheduledChange({ ...keys, body: { instructions: checked, executionDate, ...remark } })
  } else {
    const body = { description: comment, instructions: checked, notifyMemberIds: [...reviewers] }
    await api.createApprovalRequestForFlag({ ...keys, body })
  }
}

function Reviewers({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: readonly string[]) => void }) {
  const members = useQuery('members', () => api.listMembers({ limit: 100 }))
  const items: readonly Member[] = members.data?.items ?? []
  if (items.length === 0) return null
  return (
    <fieldset>
      <legend>{texts.review.reviewers}</legend>
      {items.map(({ _id, firstName, lastName, email }) => (
        <label key={_id} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(_id)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...chosen, _id] : chosen.filter((id) => id !== _id))
            }
          />
          {`${firstName ?? ''} ${lastName ?? ''}`.trim() || email}
        </label>
      ))}
    </fieldset>
  )
}
